import { readFileSync, statSync } from 'node:fs';

const PAGE_BYTES = 4096;
/** Size of a new file before its first flush, in bytes: two meta pages and the page of the first table. */
const UNFLUSHED_BYTES_MAX = 3 * PAGE_BYTES;
/**
 * Size of LMDB's fields in a meta page, in bytes. All of them are in one disk sector, so a disk writes either all or
 * none.
 */
const META_BYTES = 168;

/**
 * Returns true if a power failure interrupted the creation of an LMDB file. The file then lacks at least one of the two
 * meta pages that LMDB writes first, and no row was ever committed.
 */
export function isUnwritten(path: string): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined || size > UNFLUSHED_BYTES_MAX) return false;
  const bytes = readFileSync(path);
  return [0, PAGE_BYTES].some((at) => bytes.subarray(at, at + META_BYTES).every((byte) => byte === 0));
}
