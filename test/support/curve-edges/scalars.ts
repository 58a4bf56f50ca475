import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { fromHex } from '../../../src/primitives/bytes.js';
import type { Random } from '../../fuzz/random.js';

const { Point } = secp256k1;
/** Order of the group of secp256k1. */
export const ORDER = Point.Fn.ORDER;
export const PRIME = Point.Fp.ORDER;
const MAX = 2n ** 256n - 1n;

/**
 * Numbers near limits at which implementations may be wrong: orders and primes of the curves, and the bounds of a
 * 256-bit word.
 */
const EDGES: readonly bigint[] = [
  ...[0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n],
  ...[ORDER - 2n, ORDER - 1n, ORDER, ORDER + 1n, ORDER + 2n, ORDER + 3n, ORDER + 4n, ORDER / 2n, ORDER / 2n + 1n],
  ...[PRIME - ORDER - 1n, PRIME - ORDER, PRIME - ORDER + 1n, PRIME - 2n, PRIME - 1n, PRIME, PRIME + 1n],
  ...[bn254.fields.Fr, bn254.fields.Fp, bls12_381.fields.Fr].flatMap(({ ORDER: end }) => [
    end - 1n,
    end,
    end + 1n,
    2n * end,
    2n * end + 1n,
  ]),
  ...[2n ** 128n - 1n, 2n ** 128n, 2n ** 255n, MAX - 1n, MAX],
];

/** Returns an edge case: a number near a limit, a small number, a random 128-bit number, or a random 256-bit number. */
export function oddNumber(random: Random): bigint {
  const kind = random.below(10);
  if (kind < 6) return random.pick(EDGES);
  if (kind === 6) return BigInt(random.below(1000));
  if (kind === 7) return numberOf(random.bytes(16));
  return numberOf(random.bytes(32));
}

export function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

/** Encodes a number in 32 bytes, big-endian. */
export function word(value: bigint | number): Uint8Array {
  return fromHex(value.toString(16).padStart(64, '0'));
}
