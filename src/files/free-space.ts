import { statfsSync } from 'node:fs';
import { TronError } from '../primitives/errors.js';

/**
 * Bytes written to the disk per byte of data, for the check of free space. LMDB copies each changed page in a commit,
 * and data is written to log, checkpoint and state.
 */
const BYTES_WRITTEN_PER_BYTE = 4;
const RESERVE_BYTES = 4 * 1024 * 1024;

/**
 * Checks the free disk space before a write, because LMDB does not check it. If LMDB runs out of space during a write,
 * it needs free space even to open the environment again.
 * @throws {TronError} STORAGE_FULL: the free space is too small
 */
export function checkFreeSpace(path: string, bytes: number): void {
  const free = freeBytes(path);
  const needed = bytes * BYTES_WRITTEN_PER_BYTE + RESERVE_BYTES;
  if (free >= needed) return;
  throw new TronError(
    'STORAGE_FULL',
    `the disk of ${path} is full: ${free} bytes are free, ${needed} bytes are needed for the next write, and no data was lost; delete files to free disk space`,
  );
}

/** Returns the number of free bytes for this process on the disk of a path. */
export function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
