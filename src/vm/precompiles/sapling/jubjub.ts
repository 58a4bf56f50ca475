import { jubjub, jubjub_findGroupHash } from '@noble/curves/misc.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { concatBytes, EMPTY_BYTES, toHex, utf8 } from '../../../domain/bytes.js';

export type JubjubPoint = typeof jubjub.Point.ZERO;

const Point = jubjub.Point;
const SIGN = 0x80;

/** Bases of the commitment to values and of signatures. Reference: Zcash protocol, 5.4.8.3 and 4.15. */
export const VALUE_BASE = jubjub_findGroupHash(utf8('v'), utf8('Zcash_cv'));
export const RANDOMNESS_BASE = jubjub_findGroupHash(utf8('r'), utf8('Zcash_cv'));
export const SPENDING_BASE = jubjub_findGroupHash(EMPTY_BYTES, utf8('Zcash_G_'));

/** A number kept lowest byte first. */
export function littleEndianNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x0${toHex(Uint8Array.from(bytes).reverse())}`);
}

/** An element of the field of coordinates; undefined when it is not below the modulus. */
export function fieldElement(bytes: Uint8Array): bigint | undefined {
  const value = littleEndianNumber(bytes);
  return value < Point.Fp.ORDER ? value : undefined;
}

/** A point of the curve, of any order; undefined for bytes that are none. */
export function readPoint(bytes: Uint8Array): JubjubPoint | undefined {
  const y = Uint8Array.from(bytes);
  y[31]! &= ~SIGN;
  if (fieldElement(y) === undefined) return undefined;
  try {
    return Point.fromBytes(Uint8Array.from(bytes), true);
  } catch {
    // The library's only way to say "no such point".
    return undefined;
  }
}

/** A point whose order is not one of the cofactor's; others could stand for anything. */
export function readLargePoint(bytes: Uint8Array): JubjubPoint | undefined {
  const point = readPoint(bytes);
  return point === undefined || point.isSmallOrder() ? undefined : point;
}

/** A multiple by a number of any size and sign. */
export function times(point: JubjubPoint, scalar: bigint): JubjubPoint {
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
  const sum = multiple(key, c % Point.Fn.ORDER)
    .add(r)
    .subtract(times(base, s));
  return sum.clearCofactor().is0();
}

function multiple(point: JubjubPoint, scalar: bigint): JubjubPoint {
  return scalar === 0n ? Point.ZERO : point.multiplyUnsafe(scalar);
}
