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

/** Bases of the commitment to values and of signatures. Reference: Zcash protocol, 5.4.8.3 and 4.15. */
export const VALUE_BASE = jubjub_findGroupHash(utf8('v'), utf8('Zcash_cv'));
export const RANDOMNESS_BASE = jubjub_findGroupHash(utf8('r'), utf8('Zcash_cv'));
export const SPENDING_BASE = jubjub_findGroupHash(EMPTY_BYTES, utf8('Zcash_G_'));

/** An element of the field of coordinates; undefined when it is not below the modulus. */
export function fieldElement(bytes: Uint8Array): bigint | undefined {
  const value = littleEndianNumber(bytes);
  return value < Point.Fp.ORDER ? value : undefined;
}

/**
 * A point of the curve, of any order: 32 bytes of y, and whether x is odd in the highest bit; undefined for bytes that
 * are none.
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
  // -x² + y² = 1 + d x² y², whose divisor is not 0 as -1 / d is no square.
  const x = rootOfQuotient(Fp.sub(square, 1n), Fp.add(Fp.mul(D, square), 1n));
  if (x === undefined) return undefined;
  return Point.fromAffine({ x: ((x & 1n) === 1n) === isOdd ? x : Fp.neg(x), y });
}

/** A point whose order is not one of the cofactor's; others could stand for anything. */
export function readLargePoint(bytes: Uint8Array): JubjubPoint | undefined {
  const point = readPoint(bytes);
  return point === undefined || point.isSmallOrder() ? undefined : point;
}

/** A multiple by a number of any size and sign. */
export function multiplyJubjub(point: JubjubPoint, scalar: bigint): JubjubPoint {
  const { ORDER } = Point.Fn;
  const reduced = ((scalar % ORDER) + ORDER) % ORDER;
  return reduced === 0n ? Point.ZERO : point.multiplyUnsafe(reduced);
}

/** Whether a signature of 64 bytes over a message was made by a key. Reference: Zcash protocol, 5.4.7 (RedJubjub). */
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
  // The key may have a part of small order, which multiplying by the cofactor removes in the end.
  const sum = sumOfMultiples(key, c % Point.Fn.ORDER, base, Point.Fn.ORDER - s).add(r);
  return sum.clearCofactor().is0();
}

const SCALAR_BITS = 252;
const result = curve.room(JUBJUB_POINT_BYTES);
const points = curve.room(JUBJUB_POINT_BYTES);
/** By the bits of the second scalar and the first: what is added; nothing stands at 0. */
const summands = curve.room(4 * SUMMAND_BYTES);

/** a p + b q, of scalars up to the order: doublings are shared. */
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
