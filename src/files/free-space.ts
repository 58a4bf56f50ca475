import { statfsSync } from 'node:fs';
import { TronError } from '../primitives/errors.js';

/** A commit copies each page that it changes, and state and checkpoint are written after the log. */
const BYTES_WRITTEN_PER_BYTE = 4;
const RESERVE_BYTES = 4 * 1024 * 1024;

/**
 * Refuses a write that the disk may not hold, before any part of it is written. LMDB has no limit of its own, and an
 * environment that was stopped in the middle needs space even to be opened. @throws {TronError} STORAGE_FULL
 */
export function checkFreeSpace(path: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(path);
  const free = bavail * bsize;
  const needed = bytes * BYTES_WRITTEN_PER_BYTE + RESERVE_BYTES;
  if (free >= needed) return;
  throw new TronError(
    'STORAGE_FULL',
    `the disk of ${path} is full: ${free} bytes are free, ${needed} are needed to store the next blocks; nothing was lost`,
  );
}
