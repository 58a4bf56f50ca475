import { bn254 } from '@noble/curves/bn254.js';
import { concatBytes } from '../../../src/primitives/bytes.js';
import type { Random } from '../../fuzz/random.js';
import { straysOfTwist } from '../wasm/stray-points.js';
import { oddNumber, word } from './scalars.js';

const { G1, G2 } = bn254;
const P = bn254.fields.Fp.ORDER;
/** Number of precomputed multiples of each base point. Random points are chosen from these multiples. */
const SOME = 6;
const NEITHER = [0n, 1n, 2n, P - 1n, P, P + 1n, 2n * P];

const ofG1 = Array.from({ length: SOME }, (_, at) => G1.Point.BASE.multiply(BigInt(at + 1)));
const ofG2 = Array.from({ length: SOME }, (_, at) => G2.Point.BASE.multiply(BigInt(at + 1)));
const strays = [...straysOfTwist(bn254, () => 3n)];

/**
 * Returns 64 bytes for a point of BN-128. They encode a valid point or its negative, infinity, coordinates at or
 * above the field prime, or coordinates of a point that is not on the curve.
 */
export function oddG1(random: Random): Uint8Array {
  const kind = random.below(12);
  if (kind === 0) return new Uint8Array(64);
  if (kind === 1) return concatBytes(word(random.pick(NEITHER)), word(random.pick(NEITHER)));
  if (kind === 2) return concatBytes(word(oddNumber(random)), word(oddNumber(random)));
  const point = random.pick(ofG1);
  const { x, y } = (random.chance(0.5) ? point : point.negate()).toAffine();
  if (kind === 3) return concatBytes(word(x + P), word(y));
  if (kind === 4) return concatBytes(word(x), word(y + P));
  if (kind === 5) return concatBytes(word(x), word((y + 1n) % P));
  return concatBytes(word(x), word(y));
}

/**
 * Returns 128 bytes for a point of the twist of BN-128, of the kinds of {@link oddG1}. Some points are outside of the
 * subgroup. The imaginary part of each coordinate is first.
 */
export function oddG2(random: Random): Uint8Array {
  const kind = random.below(10);
  if (kind === 0) return new Uint8Array(128);
  if (kind === 1) return concatBytes(...Array.from({ length: 4 }, () => word(random.pick(NEITHER))));
  const point = random.pick(kind === 2 || kind === 3 ? strays : ofG2);
  const { x, y } = (random.chance(0.5) ? point : point.negate()).toAffine();
  const parts = [x.c1, x.c0, y.c1, y.c0];
  if (kind === 4) {
    const at = random.below(4);
    parts[at] = (parts[at] ?? 0n) + P;
  }
  if (kind === 5) parts[2] = ((parts[2] ?? 0n) + 1n) % P;
  return concatBytes(...parts.map(word));
}
