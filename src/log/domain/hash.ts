import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';

/** SHA-256: ids of blocks and transactions, merkle nodes, Base58Check. Node's OpenSSL is five times faster here than JavaScript. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Keccak-256 (not SHA3-256): addresses, event topics, KECCAK256. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return keccak_256(bytes);
}
