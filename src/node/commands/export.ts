import { dataFolderOf, type Flags } from '../../config/flags.js';
import { loadConfig } from '../../config/load-config.js';
import { refuseExisting, writeNewFile } from '../../files/new-file.js';
import { toHex } from '../../primitives/bytes.js';
import { DamageError, UsageError } from '../../primitives/errors.js';
import { openLedger } from '../../projections/ledger/open-ledger.js';
import { storeIds, storeName } from '../../projections/state/stores.js';
import { salvageBlockFile, writeBlockFile } from '../blocks/block-file.js';
import { exportJava } from '../bootstrap/export-java.js';
import { chainRules, genesisOf } from '../chain-config.js';
import { CommandOutput } from '../command-line/command-output.js';
import type { Progress } from '../command-line/progress.js';
import { heightArgument, readArguments, wrongUsage } from '../command-line/read-arguments.js';
import type { Command } from './command.js';

/** Exports blocks or state rows of a data folder to a file, or writes a LevelDB folder for java-tron. */
export const exportCommand: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const parsed = readArguments(args, 'export');
  const { options, flags, words } = parsed;
  const output = new CommandOutput(parsed);
  const folder = options.get('--java');
  if (folder !== undefined) {
    const other = ['--until', '--state', '--force'].find((name) => options.has(name)) ?? words[0];
    if (other !== undefined)
      throw wrongUsage('export', `export --java writes the newest state to an empty folder; remove ${other}`);
    return exportForJava(folder, flags, output);
  }
  const [file] = words;
  if (file === undefined) throw wrongUsage('export', 'export needs <file> or --java <folder>');
  const until = heightArgument(options.get('--until'), '--until');
  const dataDir = dataFolderOf(flags);
  const isState = options.has('--state');
  if (!options.has('--force')) refuseExisting(file);
  let written: Written;
  try {
    written = await exportFrom(dataDir, output, file, until, isState);
  } catch (error) {
    if (!(error instanceof DamageError) || isState) throw error;
    output.log.warn(error.message);
    written = { head: until, bytes: salvageBlockFile(dataDir, file, until) };
  }
  const { head, first = 1 } = written;
  output.print({ file, ...written });
  const text = `wrote the ${isState ? 'state after' : 'blocks up to'} block ${head} to ${file}`;
  if (isState) output.summarize({ text });
  else if (first === 1) output.summarize({ text, next: `tronicle import ${file} -d <new data folder>` });
  else output.summarize({ text: `${text}; its first block ${first} needs a data folder with the head ${first - 1}` });
  return 0;
}

/** Result of an export, printed as JSON. */
interface Written {
  /** Height of the exported state, or of the last exported block. */
  readonly head: number | undefined;
  /** Height of the first exported block, if it is not 1: older blocks were pruned, or not imported by `bootstrap`. */
  readonly first?: number;
  /** Size of the file. */
  readonly bytes: number;
}

async function exportForJava(folder: string, flags: Flags, output: CommandOutput): Promise<number> {
  const { log } = output;
  const { config, warnings } = loadConfig({ flags: { ...flags, seedNodes: [] } });
  for (const warning of warnings) log.warn(warning);
  const genesis = genesisOf(config, chainRules(config));
  const ledger = await openLedger({
    dataDir: config.outputDirectory,
    genesis,
    retention: 'all',
    checkpointVersion: 2,
    log,
    readOnly: true,
  });
  try {
    exportJava(ledger, folder, genesis);
    const { headNumber: head, headId } = ledger.position;
    output.print({ head, headId: toHex(headId) });
    output.summarize({ text: `wrote the state after block ${head} to ${folder}; start java-tron with -d ${folder}` });
  } finally {
    await ledger.close();
  }
  return 0;
}

/**
 * Exports blocks or state rows.
 * @throws {UsageError} the log has no state or block at the height `until`
 */
async function exportFrom(
  dataDir: string,
  { log, progress }: CommandOutput,
  file: string,
  until: number | undefined,
  isState: boolean,
): Promise<Written> {
  const ledger = await openLedger({ dataDir, retention: 'all', checkpointVersion: 2, log, readOnly: true });
  try {
    const {
      position: { headNumber },
      startNumber,
    } = ledger;
    if (until !== undefined && until > headNumber)
      throw new UsageError(`--until ${until} is above the head ${headNumber}`);
    const head = until ?? headNumber;
    if (isState) return { head, bytes: writeRows(file, ledger.at(head), progress) };
    if (head <= startNumber)
      throw new UsageError(`the log of ${dataDir} contains no block to export: it starts after block ${startNumber}`);
    const bytes = writeBlockFile(ledger, file, head, progress);
    return { head, ...(startNumber > 0 && { first: startNumber + 1 }), bytes };
  } finally {
    await ledger.close();
  }
}

function writeRows(
  path: string,
  view: ReturnType<Awaited<ReturnType<typeof openLedger>>['at']>,
  progress: Progress,
): number {
  progress.begin('export', { unit: 'rows' });
  return writeNewFile(path, (write) => {
    let lines: string[] = [];
    const flush = (): void => {
      write(lines.join(''));
      progress.add(lines.length);
      lines = [];
    };
    for (const store of storeIds) {
      for (const { key, value } of view.range(store)) {
        lines.push(`${JSON.stringify({ store: storeName(store), key: toHex(key), value: toHex(value) })}\n`);
        if (lines.length === LINES_MAX) flush();
      }
    }
    flush();
  });
}

/** Number of lines that are written to the file together. */
const LINES_MAX = 1000;
