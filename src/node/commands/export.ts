import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { toHex } from '../../log/domain/bytes.js';
import { UsageError } from '../../log/domain/errors.js';
import { openLedger } from '../../projections/ledger.js';
import { storeIds, storeName } from '../../projections/stores.js';
import { writeBlockFile } from '../blocks/block-file.js';
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
  const ledger = await openLedger({
    dataDir: flags.outputDirectory ?? 'output-directory',
    retention: 'all',
    checkpointVersion: 2,
    log: createLog({ destination: 2 }),
    readOnly: true,
  });
  try {
    const { headNumber } = ledger.position;
    if (until !== undefined && until > headNumber)
      throw new UsageError(`--until ${until} is above the head ${headNumber}`);
    if (options.has('--state')) await writeRows(file, ledger.at(until ?? headNumber));
    else await writeBlockFile(ledger, file, until ?? headNumber);
  } finally {
    await ledger.close();
  }
  return 0;
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
