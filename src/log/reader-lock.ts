import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { type FolderLock, lockAgainstWriters } from '../files/folder-lock.js';
import { isPresent } from '../files/is-present.js';
import { UsageError } from '../primitives/errors.js';

/**
 * Makes a data folder safe to read for this process. Call this function before LMDB opens the folder for reading.
 *
 * LMDB registers each reader in `lock.mdb`, so that a writer does not reuse the pages of the reader. If this process
 * may not write `lock.mdb` (another user, read-only mount), LMDB reads without registration. A writer then overwrites
 * pages during the read, and the reader returns wrong rows without an error. Therefore the folder is locked against
 * writers in this case.
 * @returns the lock; undefined if LMDB can register this process
 * @throws {UsageError} LMDB cannot register this process, and a node has the folder open
 * @throws {TronError} LOCK_FAILED: the folder cannot be locked
 */
export function lockForReading(dataDir: string): FolderLock | undefined {
  const folder = join(dataDir, 'log');
  const file = join(folder, 'lock.mdb');
  if (isWritable(isPresent(file) ? file : folder)) return undefined;
  const lock = lockAgainstWriters(dataDir);
  if (lock !== undefined) return lock;
  const remedy = 'run the command as the user of the node, on a writable mount';
  throw new UsageError(`cannot read ${dataDir} next to its node, because ${file} is not writable; ${remedy}`);
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
