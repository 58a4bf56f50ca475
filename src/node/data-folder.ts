import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECTIONS_FOLDER } from '../projections/runner/projection-database.js';

/** Folder of the PBFT proofs below the data folder. */
export const PROOFS_FOLDER = 'proofs';

/**
 * Folders of the LMDB environments of a data folder, those that are there. In this order none is ahead of one behind it
 * when each is read after the other beside a running node: what follows the log comes before the log.
 */
export function environmentFolders(dataDir: string): string[] {
  const all = [join('streams', 'contracts'), PROJECTIONS_FOLDER, PROOFS_FOLDER, 'state', 'log'];
  return all.filter((folder) => existsSync(join(dataDir, folder, 'data.mdb')));
}
