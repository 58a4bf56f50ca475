import { secp256k1 as curve } from '@noble/curves/secp256k1.js';
import { secp256k1 } from '../../../src/crypto/secp256k1.js';
import { concatBytes } from '../../../src/primitives/bytes.js';
import type { Random } from '../../fuzz/random.js';
import { numberOf, ORDER, oddNumber, word } from './scalars.js';

const { Point } = curve;
const { Fn } = Point;

/** A few private keys, so that several signatures are by the same key. */
export const KEYS: readonly Uint8Array[] = [1, 2, 3, 4, 5].map((number) => word(number * 7919));

export interface OddSignature {
  readonly hash: Uint8Array;
  /** The values r and s of the signature, 32 bytes each. */
  readonly rs: Uint8Array;
  /** Recovery id, 0 to 3. */
  readonly recovery: number;
}

/** Returns a hash: a random one, or a number at a limit (such as the order of the curve), encoded as a hash. */
export function oddHash(random: Random): Uint8Array {
  return random.chance(0.5) ? word(oddNumber(random)) : random.bytes(32);
}

/**
 * Returns a signature of a hash. The signature has values near limits, leads to a special case in the recovery of the
 * key, or is a valid signature with or without a change.
 */
export function oddSignature(random: Random, hash = oddHash(random)): OddSignature {
  return random.pick([edges, crafted, crafted, changed, changed])(random, hash);
}

/** Returns a signature whose r and s are near limits, such as the order of the curve or its field prime. */
function edges(random: Random, hash: Uint8Array): OddSignature {
  return { hash, rs: concatBytes(word(oddNumber(random)), word(oddNumber(random))), recovery: random.below(4) };
}

/**
 * Returns a signature with a known nonce k: R = k × G, and s = factor × e / k, where e is the hash as a number. With
 * the factor 1, the recovered key is the point at infinity. With −1, the addition that computes the key is a
 * doubling. With 0, one term of the sum is missing.
 */
function crafted(random: Random, hash: Uint8Array): OddSignature {
  const k = random.pick([1n, 2n, 3n, ORDER - 1n, ORDER / 2n, 1n + (numberOf(random.bytes(32)) % (ORDER - 1n))]);
  const { x, y } = Point.BASE.multiply(k).toAffine();
  const factor = random.pick([1n, 1n, 1n, ORDER - 1n, 0n, 2n]);
  const s = Fn.mul(Fn.create(numberOf(hash)), Fn.mul(factor, Fn.inv(k)));
  return { hash, rs: concatBytes(word(x), word(s)), recovery: Number(y & 1n) ^ (random.chance(0.1) ? 1 : 0) };
}

/**
 * Returns a signature by a known key. The signature is unchanged, or r or s is replaced by a number near a limit, or s
 * is negated.
 */
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
