import { secp256k1 as curve } from '@noble/curves/secp256k1.js';
import { secp256k1 } from '../../../src/crypto/secp256k1.js';
import { concatBytes } from '../../../src/primitives/bytes.js';
import type { Random } from '../../fuzz/random.js';
import { numberOf, ORDER, oddNumber, word } from './scalars.js';

const { Point } = curve;
const { Fn } = Point;

/** Keys that sign repeatedly. */
export const KEYS: readonly Uint8Array[] = [1, 2, 3, 4, 5].map((number) => word(number * 7919));

export interface OddSignature {
  readonly hash: Uint8Array;
  /** r and s. */
  readonly rs: Uint8Array;
  /** 0 to 3. */
  readonly recovery: number;
}

/** A hash at an edge, or any. */
export function oddHash(random: Random): Uint8Array {
  return random.chance(0.5) ? word(oddNumber(random)) : random.bytes(32);
}

/** A signature of a hash: at the edges, crafted, or sound with something changed. */
export function oddSignature(random: Random, hash = oddHash(random)): OddSignature {
  return random.pick([edges, crafted, crafted, changed, changed])(random, hash);
}

/** r and s at the edges. */
function edges(random: Random, hash: Uint8Array): OddSignature {
  return { hash, rs: concatBytes(word(oddNumber(random)), word(oddNumber(random))), recovery: random.below(4) };
}

/**
 * A known nonce R = kG, and s a multiple of e / k: with 1 the key is the point at infinity, with -1 the sum that gives
 * the key is a doubling, with 0 one of its terms is missing.
 */
function crafted(random: Random, hash: Uint8Array): OddSignature {
  const k = random.pick([1n, 2n, 3n, ORDER - 1n, ORDER / 2n, 1n + (numberOf(random.bytes(32)) % (ORDER - 1n))]);
  const { x, y } = Point.BASE.multiply(k).toAffine();
  const factor = random.pick([1n, 1n, 1n, ORDER - 1n, 0n, 2n]);
  const s = Fn.mul(Fn.create(numberOf(hash)), Fn.mul(factor, Fn.inv(k)));
  return { hash, rs: concatBytes(word(x), word(s)), recovery: Number(y & 1n) ^ (random.chance(0.1) ? 1 : 0) };
}

/** A signature of a known key, with an edge in place of r or s, the opposite s, or nothing changed. */
function changed(random: Random, hash: Uint8Array): OddSignature {
  const { signature, recid } = secp256k1.sign(hash, random.pick(KEYS));
  const [r, s] = [signature.slice(0, 32), signature.slice(32)];
  const other = word(oddNumber(random));
  const rs = random.pick([
    concatBytes(r, s),
    concatBytes(other, s),
    concatBytes(r, other),
    concatBytes(r, word(ORDER - numberOf(s))),
  ]);
  return { hash, rs, recovery: random.chance(0.8) ? recid : random.below(4) };
}
