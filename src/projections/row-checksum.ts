import xxhash from 'xxhash-wasm';

const { h64Raw } = await xxhash();

export const CHECKSUM_BYTES = 8;

/**
 * Checksum of a stored row (XXH64 of the value, seeded with that of store byte and key): behind every value on the disk, because LMDB
 * itself notices neither a flipped bit nor a page that belongs to another key.
 */
export function rowChecksum(orderedKey: Uint8Array, value: Uint8Array): bigint {
  return h64Raw(value, h64Raw(orderedKey, 0n));
}

/** XXH64 of any bytes: for records that are not rows. */
export function checksum(bytes: Uint8Array): bigint {
  return h64Raw(bytes, 0n);
}
