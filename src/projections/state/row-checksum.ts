import { checksum64 } from '../../crypto/checksum.js';

export const CHECKSUM_BYTES = 8;

/**
 * Returns the checksum over store byte, key and value of a row. It is stored after every value, because LMDB does not
 * detect a flipped bit or a misplaced page.
 */
export function rowChecksum(orderedKey: Uint8Array, value: Uint8Array): bigint {
  return checksum64(value, checksum64(orderedKey));
}
