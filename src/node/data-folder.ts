import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECTIONS_FOLDER } from '../projections/runner/projection-database.js';

/** Folder of the PBFT proofs, below the data folder. */
export const PROOFS_FOLDER = 'proofs';

/**
 * Returns the existing LMDB folders of a data folder. If they are read in this order next to a running node, none is
 * ahead of a later one: everything derived from the log is read before the log.
 */
export function environmentFolders(dataDir: string): string[] {
  const all = [join('streams', 'contracts'), PROJECTIONS_FOLDER, PROOFS_FOLDER, 'state', 'log'];
  return all.filter((folder) => existsSync(join(dataDir, folder, 'data.mdb')));
}
