import { dataFolderOf } from '../../config/flags.js';
import { loadConfig } from '../../config/load-config.js';
import { hasLog } from '../../log/log-file.js';
import { toHex } from '../../primitives/bytes.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { openLedger } from '../../projections/ledger/open-ledger.js';
import { findStateProjection } from '../../projections/state-projections.js';
import { readProjection } from '../../projections/verify/compare-projection.js';
import { readArguments } from '../command-line/read-arguments.js';
import { checkBeforeReading, isInUse } from '../doctor/data.js';
import { createLog } from '../logging.js';
import type { Command } from './command.js';

/**
 * Prints the position of a data folder and of each projection of the state, even if a node runs in the folder. Also
 * prints the release that `run` emulates with the same flags.
 */
export const status: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const { options, flags } = readArguments(args, 'status');
  const dataDir = dataFolderOf(flags);
  if (hasLog(dataDir)) await checkBeforeReading(dataDir, await isInUse(dataDir));
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
      projections: projectionsOf(ledger, options.has('--digests')),
    };
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  } finally {
    await ledger.close();
  }
  return 0;
}

/**
 * Returns position, row count and checksum of each projection of the state.
 * @param hasDigests true to compute also a SHA-256, which reads all rows
 */
function projectionsOf(ledger: Ledger, hasDigests: boolean): readonly object[] {
  const { seq, projections } = ledger.stateSums();
  return projections.map(({ name, version, rows, checksum }) => {
    const projection = hasDigests ? findStateProjection(name) : undefined;
    const digest = projection && readProjection(projection, ledger.head).digest;
    return { name, version, seq, rows, checksum, ...(digest !== undefined && { digest }) };
  });
}
