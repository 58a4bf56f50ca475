import type { Witness } from '../../log/codec/generated/messages.js';

/** Most votes first; among equals the larger hash code of the address first. Reference: DposService.updateWitness. */
export function byVotes(a: Witness, b: Witness): number {
  if (a.voteCount !== b.voteCount) return a.voteCount > b.voteCount ? -1 : 1;
  return byteStringHash(b.address) - byteStringHash(a.address);
}

/** Reference: com.google.protobuf.ByteString.hashCode. */
export function byteStringHash(bytes: Uint8Array): number {
  let hash = bytes.length;
  for (const byte of bytes) hash = (Math.imul(hash, 31) + ((byte << 24) >> 24)) | 0;
  return hash === 0 ? 1 : hash;
}
