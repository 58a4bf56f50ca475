import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECTIONS_FOLDER } from '../projections/runner/projection-database.js';

/** Folder of the PBFT proofs, below the data folder. */
export const PROOFS_FOLDER = 'proofs';

/**
 * Returns the existing LMDB folders of a data folder, in the order in which they must be read while a node runs. Data
 * derived from the log comes first and the log last, so that no folder is ahead of the log.
 */
export function environmentFolders(dataDir: string): string[] {
  const all = [join('streams', 'contracts'), PROJECTIONS_FOLDER, PROOFS_FOLDER, 'state', 'log'];
  return all.filter((folder) => existsSync(join(dataDir, folder, 'data.mdb')));
}
