import xxhash from 'xxhash-wasm';

const { h64Raw } = await xxhash();

/** Returns the XXH64 checksum. XXH64 is ten times faster than SHA-256, but an attacker can construct collisions. */
export function checksum64(bytes: Uint8Array, seed = 0n): bigint {
  return h64Raw(bytes, seed);
}
