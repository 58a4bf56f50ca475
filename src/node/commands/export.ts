import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Logger } from 'pino';
import { toHex } from '../../log/domain/bytes.js';
import { DamageError, UsageError } from '../../log/domain/errors.js';
import { openLedger } from '../../projections/open-ledger.js';
import { storeIds, storeName } from '../../projections/stores.js';
import { salvageBlockFile, writeBlockFile } from '../blocks/block-file.js';
import { createLog } from '../logging.js';
import { heightOf, readArguments } from './arguments.js';
import type { Command } from './command.js';

/** Writes blocks, or state rows, of a data folder into a file. */
export const exportCommand: Command = {
  name: 'export',
  summary: 'writes the blocks of a data folder into a compact file; with --state its rows as JSON lines',
  usage: 'tronicle export <file> [-d <data folder>] [--until <height>] [--state]',
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const { options, flags, words } = readArguments(args, { '--until': 'value', '--state': 'switch' });
  const [file] = words;
  if (file === undefined || words.length > 1) throw new UsageError(exportCommand.usage);
  const until = heightOf(options.get('--until'), '--until');
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
