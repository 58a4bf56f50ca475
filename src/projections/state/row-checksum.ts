import { checksum64 } from '../../crypto/checksum.js';

export const CHECKSUM_BYTES = 8;

/**
 * Checksum of a stored row, over store byte, key and value: behind every value on the disk, because LMDB itself notices
 * neither a flipped bit nor a page that belongs to another key.
 */
export function rowChecksum(orderedKey: Uint8Array, value: Uint8Array): bigint {
  return checksum64(value, checksum64(orderedKey));
}
