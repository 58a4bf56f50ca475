import { loadConfig } from '../../config/load-config.js';
import { LOG_BLOCKS_MIN } from '../../config/rows/tronicle-rows.js';
import { requireLog } from '../../log/log-file.js';
import { ArgumentError } from '../../primitives/errors.js';
import type { LedgerOptions, Retention } from '../../projections/ledger/ledger-types.js';
import { openLedger } from '../../projections/ledger/open-ledger.js';
import type { WriterLedger } from '../../projections/ledger/writer-ledger.js';
import { ProjectionDatabase } from '../../projections/runner/projection-database.js';
import { retainedSeq } from '../../streams/forwarding/retained-seq.js';
import { checkpointsOfSinks } from '../../streams/sinks/checkpoint-file.js';
import { CommandOutput, nextCommand } from '../command-line/command-output.js';
import { whole } from '../command-line/progress.js';
import { heightArgument, readArguments, wrongUsage } from '../command-line/read-arguments.js';
import type { Command } from './command.js';

/** Deletes old blocks of a data folder. */
export const prune: Command = {
  run,
};

/** Number of blocks that one commit deletes: about 100 MB if the blocks are full. */
const STEP_BLOCKS = 1000;

async function run(args: readonly string[]): Promise<number> {
  const parsed = readArguments(args, 'prune');
  const { options, flags } = parsed;
  const keep = heightArgument(options.get('--keep'), '--keep');
  if (keep === undefined) throw wrongUsage('prune', 'prune needs --keep <blocks>');
  if (keep < LOG_BLOCKS_MIN) throw new ArgumentError(`invalid --keep: ${keep}; use at least ${LOG_BLOCKS_MIN} blocks`);
  const output = new CommandOutput(parsed);
  const { log, progress } = output;
  const { config, warnings } = loadConfig({ flags });
  for (const warning of warnings) log.warn(warning);
  requireLog(config.outputDirectory);
  const dataDir = config.outputDirectory;
  const checkpointVersion = config.storage.checkpoint.version === 2 ? 2 : 1;
  const ledger = await openLedger({
    dataDir,
    retention: await historyOf({ dataDir, checkpointVersion, log }, keep),
    logRetention: keep,
    checkpointVersion,
    checkRate: config.tronicle.check,
    log,
  });
  try {
    const before = ledger.startNumber;
    await retainForReaders(ledger, config.outputDirectory, (line) => log.warn(line));
    const { headNumber } = ledger.position;
    progress.begin('prune', { unit: 'blocks', total: Math.max(0, headNumber - keep - before) });
    while (ledger.prune(STEP_BLOCKS)) progress.set(ledger.startNumber - before);
    output.print({ head: headNumber, begin: ledger.startNumber, before });
    output.summarize({
      text: `deleted ${whole(ledger.startNumber - before)} blocks; the log starts at block ${ledger.startNumber}`,
      next: nextCommand('compact', parsed),
    });
  } finally {
    await ledger.close();
  }
  return 0;
}

/**
 * Returns the retention of the row changes: that of the blocks if the folder has past states, otherwise `unsolidified`.
 * Does not use the configuration, because the command can run without the configuration file of the node.
 */
async function historyOf(
  options: Pick<LedgerOptions, 'dataDir' | 'checkpointVersion' | 'log'>,
  keep: number,
): Promise<Retention> {
  const reader = await openLedger({ ...options, retention: 'all', readOnly: true });
  const { hasHistory } = reader;
  await reader.close();
  return hasHistory ? keep : 'unsolidified';
}

/** Prevents the deletion of entries that a sink or a projection has not read yet. */
async function retainForReaders(ledger: WriterLedger, dataDir: string, warn: (line: string) => void): Promise<void> {
  const retainFor = (reader: string, seq: number, retained = seq): void => {
    ledger.retainChanges(reader, retained);
    if (seq < ledger.position.seq)
      warn(`${reader} has read only up to entry ${seq} of ${ledger.position.seq}; keeping later entries`);
  };
  for (const { file, position } of checkpointsOfSinks(dataDir))
    retainFor(`the sink of ${file}`, position?.seq ?? -1, position && retainedSeq(ledger, position));
  const database = new ProjectionDatabase(dataDir, { readOnly: false });
  for (const [name, { seq }] of database.cursorsByName()) retainFor(`the projection ${name}`, seq);
  await database.close();
}
