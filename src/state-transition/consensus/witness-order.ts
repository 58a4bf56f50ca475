import type { Witness } from '../../codec/generated/messages.js';
import { toHex } from '../../primitives/bytes.js';
import type { Properties } from '../state/properties.js';

type WitnessOrder = (a: Witness, b: Witness) => number;

/**
 * Returns the function that compares two candidates for the election, by the rule in force.
 * Reference: DposService.updateWitness, WitnessStore.sortWitnesses.
 */
export function witnessOrder(properties: Properties): WitnessOrder {
  return properties.isOn('CONSENSUS_LOGIC_OPTIMIZATION') ? byVotesAndAddress : byVotes;
}

/** Compares two candidates: more votes first. If the votes are equal, the larger hash code of the address is first. */
function byVotes(a: Witness, b: Witness): number {
  if (a.voteCount !== b.voteCount) return a.voteCount > b.voteCount ? -1 : 1;
  return byteStringHash(b.address) - byteStringHash(a.address);
}

/** Compares two candidates: more votes first. If the votes are equal, the larger address is first (proposal 88). */
function byVotesAndAddress(a: Witness, b: Witness): number {
  if (a.voteCount !== b.voteCount) return a.voteCount > b.voteCount ? -1 : 1;
  const [first, second] = [toHex(a.address), toHex(b.address)];
  return first === second ? 0 : first > second ? -1 : 1;
}

/** Returns the hash code of bytes in Java's protobuf library. Reference: com.google.protobuf.ByteString.hashCode. */
export function byteStringHash(bytes: Uint8Array): number {
  let hash = bytes.length;
  for (const byte of bytes) hash = (Math.imul(hash, 31) + ((byte << 24) >> 24)) | 0;
  return hash === 0 ? 1 : hash;
}
