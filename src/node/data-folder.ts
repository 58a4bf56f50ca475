import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECTIONS_FOLDER } from '../projections/runner/projection-database.js';

/** Folder of the PBFT proofs, below the data folder. */
export const PROOFS_FOLDER = 'proofs';

/**
 * Returns the existing LMDB folders of a data folder, in the order in which a reader must read them while a node runs.
 * The log is last, so that data derived from the log is never newer than the log that was read.
 */
export function environmentFolders(dataDir: string): string[] {
  const all = [join('streams', 'contracts'), PROJECTIONS_FOLDER, PROOFS_FOLDER, 'state', 'log'];
  return all.filter((folder) => existsSync(join(dataDir, folder, 'data.mdb')));
}
