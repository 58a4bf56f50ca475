import { jubjub, jubjub_findGroupHash } from '@noble/curves/misc.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { COORDINATE_BYTES } from '../../../crypto/wasm/jubjub/jubjub.js';
import { JUBJUB_POINT_BYTES, SUMMAND_BYTES } from '../../../crypto/wasm/jubjub/points.js';
import { itemAt } from '../../../primitives/assert.js';
import { concatBytes, EMPTY_BYTES, utf8 } from '../../../primitives/bytes.js';
import { affineOf, curve, littleEndianNumber, NEUTRAL, rootOfQuotient } from './coordinates.js';

export type JubjubPoint = typeof jubjub.Point.ZERO;

const Point = jubjub.Point;
const D = Point.CURVE().d;
const SIGN = 0x80;

/** Generators of value commitments and of signatures. Reference: Zcash protocol, 5.4.8.3 and 4.15. */
export const VALUE_BASE = jubjub_findGroupHash(utf8('v'), utf8('Zcash_cv'));
export const RANDOMNESS_BASE = jubjub_findGroupHash(utf8('r'), utf8('Zcash_cv'));
export const SPENDING_BASE = jubjub_findGroupHash(EMPTY_BYTES, utf8('Zcash_G_'));

/** Decodes a coordinate; undefined if its value is not below the modulus of the field. */
export function fieldElement(bytes: Uint8Array): bigint | undefined {
  const value = littleEndianNumber(bytes);
  return value < Point.Fp.ORDER ? value : undefined;
}

/**
 * Decodes a point of any order. The 32 bytes contain y; the highest bit is 1 if x is odd. Returns undefined for bytes
 * that are not a point.
 */
export function readPoint(bytes: Uint8Array): JubjubPoint | undefined {
  if (bytes.length !== COORDINATE_BYTES) return undefined;
  const yBytes = Uint8Array.from(bytes);
  const last = COORDINATE_BYTES - 1;
  const isOdd = (itemAt(yBytes, last) & SIGN) !== 0;
  yBytes[last] = itemAt(yBytes, last) & ~SIGN;
  const y = fieldElement(yBytes);
  if (y === undefined) return undefined;
  const { Fp } = Point;
  const square = Fp.sqr(y);
  // Solves the curve equation −x² + y² = 1 + d x² y² for x. The divisor is never 0, because −1 / d is not a square.
  const x = rootOfQuotient(Fp.sub(square, 1n), Fp.add(Fp.mul(D, square), 1n));
  if (x === undefined) return undefined;
  return Point.fromAffine({ x: ((x & 1n) === 1n) === isOdd ? x : Fp.neg(x), y });
}

/** Decodes a point. Returns undefined for bytes that are not a point, and for a point of small order (1, 2, 4 or 8). */
export function readLargePoint(bytes: Uint8Array): JubjubPoint | undefined {
  const point = readPoint(bytes);
  return point === undefined || point.isSmallOrder() ? undefined : point;
}

/**
 * Multiplies a point by a number of any size and sign. Reduces the number modulo the order of the prime-order subgroup.
 * For a point outside of this subgroup, the result may differ by a point of small order.
 */
export function multiplyJubjub(point: JubjubPoint, scalar: bigint): JubjubPoint {
  const { ORDER } = Point.Fn;
  const reduced = ((scalar % ORDER) + ORDER) % ORDER;
  return reduced === 0n ? Point.ZERO : point.multiplyUnsafe(reduced);
}

/**
 * Verifies a signature of 64 bytes. Reference: Zcash protocol, 5.4.7 (RedJubjub).
 * @param base generator to which the key belongs
 */
export function verifySignature(
  base: JubjubPoint,
  key: JubjubPoint,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  const nonce = signature.subarray(0, 32);
  const s = littleEndianNumber(signature.subarray(32, 64));
  const r = readPoint(nonce);
  if (r === undefined || s >= Point.Fn.ORDER) return false;
  const hash = blake2b(concatBytes(nonce, message), { dkLen: 64, personalization: utf8('Zcash_RedJubjubH') });
  const c = littleEndianNumber(hash);
  // The key may have a component of small order, which the multiplication by the cofactor removes.
  const sum = sumOfMultiples(key, c % Point.Fn.ORDER, base, Point.Fn.ORDER - s).add(r);
  return sum.clearCofactor().is0();
}

const SCALAR_BITS = 252;
const result = curve.allocate(JUBJUB_POINT_BYTES);
const points = curve.allocate(JUBJUB_POINT_BYTES);
/**
 * Points that the double scalar multiplication adds. The index has one bit of each scalar, so element 1 is p, 2 is q,
 * and 3 is p + q. Element 0 is unused.
 */
const summands = curve.allocate(4 * SUMMAND_BYTES);

/** Computes a × p + b × q. Both scalars are at most the order. Both products use the same doublings. */
function sumOfMultiples(p: JubjubPoint, a: bigint, q: JubjubPoint, b: bigint): JubjubPoint {
  const { run } = curve;
  const summand = (bits: number): number => summands + bits * SUMMAND_BYTES;
  curve.writePoint(points, p);
  run.summandOf(summand(1), points);
  curve.writePoint(points, q);
  run.summandOf(summand(2), points);
  run.addSummand(points, summand(1));
  run.summandOf(summand(3), points);
  curve.copyPoint(result, NEUTRAL);
  for (let at = SCALAR_BITS - 1; at >= 0; at--) {
    run.double(result);
    const bits = bitOf(a, at) | (bitOf(b, at) << 1);
    if (bits !== 0) run.addSummand(result, summand(bits));
  }
  return Point.fromAffine(affineOf(result));
}

function bitOf(scalar: bigint, at: number): number {
  return Number((scalar >> BigInt(at)) & 1n);
}
