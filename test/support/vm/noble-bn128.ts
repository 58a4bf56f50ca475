import { bn254 } from '@noble/curves/bn254.js';
import { toHex } from '../../../src/primitives/bytes.js';
import { WORD_BYTES } from '../../../src/primitives/units.js';
import * as ours from '../../../src/vm/precompiles/bn128.js';
import { booleanWord, FAILED, type Precompile, success, wordAt } from '../../../src/vm/precompiles/precompile.js';

const { Fp, Fp2, Fp12 } = bn254.fields;
const G1 = bn254.G1.Point;
const G2 = bn254.G2.Point;
type G1Point = typeof G1.ZERO;
type G2Point = typeof G2.ZERO;
const PAIR_BYTES = 192;

/**
 * The precompile for addition on BN-128, computed by the library @noble/curves. Reference:
 * PrecompiledContracts.BN128Addition.
 */
export const bnAdd: Precompile = {
  ...ours.bnAdd,
  run(data) {
    const a = g1(data, 0);
    const b = a === undefined ? undefined : g1(data, 2);
    return a === undefined || b === undefined ? FAILED : success(g1Bytes(a.add(b)));
  },
};

/**
 * The precompile for scalar multiplication on BN-128, computed by the library @noble/curves. Reference:
 * BN128Multiplication.
 */
export const bnMultiply: Precompile = {
  ...ours.bnMultiply,
  run(data) {
    const point = g1(data, 0);
    if (point === undefined) return FAILED;
    const scalar = numberAt(data, 2) % bn254.fields.Fr.ORDER;
    return success(g1Bytes(scalar === 0n || point.is0() ? G1.ZERO : point.multiplyUnsafe(scalar)));
  },
};

/** The precompile for pairing checks on BN-128, computed by the library @noble/curves. Reference: BN128Pairing. */
export const bnPairing: Precompile = {
  ...ours.bnPairing,
  run(data) {
    if (data.length % PAIR_BYTES > 0) return FAILED;
    const pairs: { g1: G1Point; g2: G2Point }[] = [];
    for (let at = 0; at < data.length; at += PAIR_BYTES) {
      const pair = data.subarray(at, at + PAIR_BYTES);
      const a = g1(pair, 0);
      const b = a === undefined ? undefined : g2(pair);
      if (a === undefined || b === undefined) return FAILED;
      if (!a.is0() && !b.is0()) pairs.push({ g1: a, g2: b });
    }
    const product = pairs.length === 0 ? Fp12.ONE : bn254.pairingBatch(pairs);
    return success(booleanWord(Fp12.eql(product, Fp12.ONE)));
  },
};

/**
 * Decodes a point of the curve; undefined if a coordinate is not below the field prime or the point is not on the
 * curve. (0, 0) is infinity.
 */
function g1(data: Uint8Array, word: number): G1Point | undefined {
  const x = numberAt(data, word);
  const y = numberAt(data, word + 1);
  if (x === 0n && y === 0n) return G1.ZERO;
  if (x >= Fp.ORDER || y >= Fp.ORDER) return undefined;
  return pointOf(() => G1.fromAffine({ x, y }));
}

/**
 * Decodes a point of the twist. The imaginary part of each coordinate is first. Undefined if the point is invalid or
 * outside of the subgroup.
 */
function g2(data: Uint8Array): G2Point | undefined {
  const [b, a, d, c] = [2, 3, 4, 5].map((word) => numberAt(data, word)) as [bigint, bigint, bigint, bigint];
  if ([a, b, c, d].every((part) => part === 0n)) return G2.ZERO;
  if ([a, b, c, d].some((part) => part >= Fp.ORDER)) return undefined;
  return pointOf(() => G2.fromAffine({ x: Fp2.create({ c0: a, c1: b }), y: Fp2.create({ c0: c, c1: d }) }));
}

function pointOf<P extends { assertValidity(): void }>(make: () => P): P | undefined {
  try {
    const point = make();
    point.assertValidity();
    return point;
  } catch {
    // The library throws for an invalid point.
    return undefined;
  }
}

function g1Bytes(point: G1Point): Uint8Array {
  const bytes = new Uint8Array(2 * WORD_BYTES);
  if (point.is0()) return bytes;
  const { x, y } = point.toAffine();
  bytes.set(Buffer.from(x.toString(16).padStart(64, '0') + y.toString(16).padStart(64, '0'), 'hex'));
  return bytes;
}

function numberAt(data: Uint8Array, word: number): bigint {
  return BigInt(`0x${toHex(wordAt(data, word))}`);
}
