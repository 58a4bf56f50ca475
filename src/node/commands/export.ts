import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Logger } from 'pino';
import type { Flags } from '../../config/flags.js';
import { loadConfig } from '../../config/load-config.js';
import { toHex } from '../../primitives/bytes.js';
import { DamageError, UsageError } from '../../primitives/errors.js';
import { openLedger } from '../../projections/ledger/open-ledger.js';
import { storeIds, storeName } from '../../projections/state/stores.js';
import { salvageBlockFile, writeBlockFile } from '../blocks/block-file.js';
import { exportJava } from '../bootstrap/export-java.js';
import { chainRules, genesisOf } from '../chain-config.js';
import { heightArgument, readArguments, wrongUsage } from '../command-line/read-arguments.js';
import { createLog } from '../logging.js';
import type { Command } from './command.js';

/** Exports blocks or state rows of a data folder to a file. */
export const exportCommand: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const { options, flags, words } = readArguments(args, 'export');
  const folder = options.get('--java');
  if (folder !== undefined) return exportForJava(folder, flags);
  const [file] = words;
  if (file === undefined) throw wrongUsage('export', 'export needs <file> or --java <folder>');
  const until = heightArgument(options.get('--until'), '--until');
  const dataDir = flags.outputDirectory ?? 'output-directory';
  const log = createLog({ destination: 2 });
  try {
    await exportFrom(dataDir, log, file, until, options.has('--state'));
  } catch (error) {
    if (!(error instanceof DamageError) || options.has('--state')) throw error;
    log.warn(error.message);
    salvageBlockFile(dataDir, file, until);
  }
  return 0;
}

async function exportForJava(folder: string, flags: Flags): Promise<number> {
  const log = createLog({ destination: 2 });
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
    process.stdout.write(`${JSON.stringify({ head, headId: toHex(headId) })}\n`);
  } finally {
    await ledger.close();
  }
  return 0;
}

async function exportFrom(
  dataDir: string,
  log: Logger,
  file: string,
  until: number | undefined,
  isState: boolean,
): Promise<void> {
  const ledger = await openLedger({ dataDir, retention: 'all', checkpointVersion: 2, log, readOnly: true });
  try {
    const { headNumber } = ledger.position;
    if (until !== undefined && until > headNumber)
      throw new UsageError(`--until ${until} is above the head ${headNumber}`);
    if (isState) await writeRows(file, ledger.at(until ?? headNumber));
    else writeBlockFile(ledger, file, until ?? headNumber);
  } finally {
    await ledger.close();
  }
}

async function writeRows(path: string, view: ReturnType<Awaited<ReturnType<typeof openLedger>>['at']>): Promise<void> {
  const out = createWriteStream(path);
  for (const store of storeIds) {
    for (const { key, value } of view.range(store)) {
      const line = JSON.stringify({ store: storeName(store), key: toHex(key), value: toHex(value) });
      if (!out.write(`${line}\n`)) await once(out, 'drain');
    }
  }
  out.end();
  await once(out, 'finish');
}
