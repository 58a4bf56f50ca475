import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../config/load-config.js';
import { toHex } from '../../primitives/bytes.js';
import { openLedger } from '../../projections/ledger/open-ledger.js';
import { checkBeforeReading, isInUse } from '../doctor/data.js';
import { createLog } from '../logging.js';
import { readArguments } from './arguments.js';
import type { Command } from './command.js';

/**
 * Prints the position of a data folder, even of a running node, and the release that `run` emulates with the same
 * flags.
 */
export const status: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const { flags } = readArguments(args, {});
  const dataDir = flags.outputDirectory ?? 'output-directory';
  if (existsSync(join(dataDir, 'log', 'data.mdb'))) await checkBeforeReading(dataDir, await isInUse(dataDir));
  const ledger = await openLedger({
    dataDir,
    retention: 'all',
    checkpointVersion: 2,
    log: createLog({ destination: 2 }),
    readOnly: true,
  });
  try {
    const { seq, headNumber, headId, digest, solidifiedNumber } = ledger.position;
    const answer = {
      release: loadConfig({ flags }).config.tronicle.release,
      head: headNumber,
      headId: toHex(headId),
      solidified: solidifiedNumber,
      digest: toHex(digest),
      seq,
    };
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  } finally {
    await ledger.close();
  }
  return 0;
}
