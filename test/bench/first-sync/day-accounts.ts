import { createHash } from 'node:crypto';
import secp256k1 from 'secp256k1';
import { addressOfKey } from '../../../src/crypto/key-address.js';

/** Address prefix of the main net. */
const PREFIX = 0x41;

/** An account of the generated day whose key is known. */
export interface Signer {
  readonly key: Uint8Array;
  /** Address of the account, 21 bytes. */
  readonly address: Uint8Array;
}

/** A range of signers, from its first (inclusive) to its last (exclusive). */
export type SignerRange = readonly [from: number, to: number];

/**
 * Signers by their part in the day. On the main net, a few exchanges and services send a large part of the
 * transactions.
 */
export const SIGNER_RANGES = {
  /** The 27 active witnesses. They sign the blocks and send no transactions. */
  witnesses: [0, 27],
  /** Services that delegate energy: each delegates a part of its stake to many accounts. */
  delegators: [27, 1_027],
  /** Exchanges and payment services. */
  busy: [1_027, 1_527],
  /** Accounts that have approved the router and the pool to move their tokens. */
  traders: [1_527, 21_527],
  /** Accounts that send rarely. */
  others: [1_527, 100_000],
} as const satisfies Record<string, SignerRange>;

const SIGNERS = SIGNER_RANGES.others[1];

/** Returns all signers. The keys depend only on the index. Takes about 40 µs for each key. */
export function makeSigners(): readonly Signer[] {
  return Array.from({ length: SIGNERS }, (_, at) => {
    const key = createHash('sha256').update(`signer ${at} of the generated day`).digest();
    return { key, address: addressOfKey(secp256k1.publicKeyCreate(key, false), PREFIX) };
  });
}
