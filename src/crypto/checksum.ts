import xxhash from 'xxhash-wasm';

const { h64Raw } = await xxhash();

/** Returns the XXH64 checksum. It is ten times faster than SHA-256, but not secure against constructed collisions. */
export function checksum64(bytes: Uint8Array, seed = 0n): bigint {
  return h64Raw(bytes, seed);
}
