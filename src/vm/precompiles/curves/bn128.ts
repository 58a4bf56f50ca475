import { fromHex } from '../../../domain/bytes.js';
import { onFirstUse } from '../../../domain/on-first-use.js';
import { Bn254 } from '../../../wasm/bn254/bn254.js';
import { FP_BYTES, G1_BYTES, G2_BYTES, Mcl, PairingProduct, type Pointer } from './mcl.js';

const WORD = 32;
const POINT_BYTES = 2 * WORD;
const TWIST_POINT_BYTES = 4 * WORD;
const PAIR_BYTES = POINT_BYTES + TWIST_POINT_BYTES;
/** Prime of the field. */
const PRIME_BYTES = fromHex('30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47');
const PRIME = BigInt(`0x${Buffer.from(PRIME_BYTES).toString('hex')}`);
/** The number that the curve is made from: the group's order is a polynomial of it. */
const SEED = 0x44e992b44a6909f1n;

/** Points of the curve itself. */
const points = onFirstUse(() => new Bn254());

/** The pairing, and room to work in. */
const curve = onFirstUse(() => {
  const mcl = new Mcl('BN_SNARK1');
  // Its own look at the order of a point takes three times as long as `isInGroup`.
  mcl.call.mclBn_verifyOrderG2(0);
  return {
    mcl,
    a: mcl.room(G1_BYTES),
    twist: mcl.room(G2_BYTES),
    product: new PairingProduct(mcl),
    multiple: mcl.room(G2_BYTES),
    left: mcl.room(G2_BYTES),
    right: mcl.room(G2_BYTES),
    image: mcl.room(G2_BYTES),
    one: placed(mcl, [1n]),
    xFactor: placed(mcl, power(TWIST, (PRIME - 1n) / 3n)),
    yFactor: placed(mcl, power(TWIST, (PRIME - 1n) / 2n)),
  };
});

/** x and y of the sum of two points (128 bytes, zeros behind their end); undefined when one is none. */
export function addPoints(data: Uint8Array): Uint8Array | undefined {
  return points().add(partOf(data, 0, POINT_BYTES), partOf(data, POINT_BYTES, POINT_BYTES));
}

/** x and y of a multiple of a point, by a word of any size; undefined when it is none. */
export function multiplyPoint(data: Uint8Array): Uint8Array | undefined {
  return points().multiply(partOf(data, 0, POINT_BYTES), partOf(data, POINT_BYTES, WORD));
}

/** Whether the product of the pairings of all pairs (192 bytes each) is one; undefined when a point is none, or not in its group. */
export function isPairingOne(data: Uint8Array): boolean | undefined {
  const { a, twist, product } = curve();
  product.begin();
  for (let at = 0; at < data.length; at += PAIR_BYTES) {
    if (!readPoint(a, data.subarray(at, at + POINT_BYTES))) return undefined;
    if (!readTwistPoint(twist, data.subarray(at + POINT_BYTES, at + PAIR_BYTES))) return undefined;
    product.add(a, twist);
  }
  return product.isOne();
}

/** @param words x and y; zeros are infinity. @returns false for coordinates outside of the field or off the curve */
function readPoint(to: Pointer, words: Uint8Array): boolean {
  const { mcl, one } = curve();
  mcl.zero(to, G1_BYTES);
  if (isZero(words)) return true;
  for (let i = 0; i < 2; i++) if (!readField(to + i * FP_BYTES, words.subarray(i * WORD, (i + 1) * WORD))) return false;
  mcl.copy(to + 2 * FP_BYTES, one, FP_BYTES);
  return mcl.call.mclBnG1_isValid(to) === 1;
}

/** @param words imaginary and real part of x, then of y. @returns false as above, and outside of the group */
function readTwistPoint(to: Pointer, words: Uint8Array): boolean {
  const { mcl, one } = curve();
  mcl.zero(to, G2_BYTES);
  if (isZero(words)) return true;
  for (const [place, word] of [1, 0, 3, 2].entries()) {
    if (!readField(to + place * FP_BYTES, words.subarray(word * WORD, (word + 1) * WORD))) return false;
  }
  mcl.copy(to + 4 * FP_BYTES, one, FP_BYTES);
  return mcl.call.mclBnG2_isValid(to) === 1 && isInGroup(to);
}

/**
 * Whether a point of the twist is of the right order, by the endomorphism f: (s + 1) Q + f(s Q) + f²(s Q) = f³(2 s Q), where s is the
 * seed. Source: eprint.iacr.org/2022/348, 5.1.
 */
function isInGroup(point: Pointer): boolean {
  const { mcl, multiple, left, right, image } = curve();
  timesSeed(multiple, point);
  mcl.call.mclBnG2_add(left, multiple, point);
  frobenius(image, multiple);
  mcl.call.mclBnG2_add(left, left, image);
  frobenius(image, image);
  mcl.call.mclBnG2_add(left, left, image);
  mcl.call.mclBnG2_add(right, multiple, multiple);
  for (let i = 0; i < 3; i++) frobenius(right, right);
  return mcl.call.mclBnG2_isEqual(left, right) === 1;
}

/** Digits -1, 0 and 1 of the seed, none but zeros beside others, the highest first. */
const SEED_DIGITS = nonAdjacentForm(SEED);

/** By doubling and adding: the library's own multiplication is only right in the group. */
function timesSeed(to: Pointer, point: Pointer): void {
  const { mcl, image } = curve();
  mcl.zero(to, G2_BYTES);
  mcl.call.mclBnG2_neg(image, point);
  for (const digit of SEED_DIGITS) {
    mcl.call.mclBnG2_dbl(to, to);
    if (digit !== 0) mcl.call.mclBnG2_add(to, to, digit > 0 ? point : image);
  }
}

function nonAdjacentForm(value: bigint): readonly number[] {
  const digits: number[] = [];
  for (let rest = value; rest > 0n; rest >>= 1n) {
    const digit = (rest & 1n) === 0n ? 0n : 2n - (rest & 3n);
    rest -= digit;
    digits.push(Number(digit));
  }
  return digits.reverse();
}

/** The p-th powers of the coordinates, back on the twist: conjugates, times a power of the twist's constant. */
function frobenius(to: Pointer, from: Pointer): void {
  const { mcl, xFactor, yFactor } = curve();
  mcl.copy(to, from, G2_BYTES);
  for (const imaginary of [1, 3, 5]) mcl.call.mclBnFp_neg(to + imaginary * FP_BYTES, to + imaginary * FP_BYTES);
  mcl.call.mclBnFp2_mul(to, to, xFactor);
  mcl.call.mclBnFp2_mul(to + 2 * FP_BYTES, to + 2 * FP_BYTES, yFactor);
}

/** Of the field with i² = -1. */
type Complex = readonly [real: bigint, imaginary: bigint];

/** The constant that the twist differs from the curve by. */
const TWIST: Complex = [9n, 1n];

function power(base: Complex, exponent: bigint): Complex {
  let result: Complex = [1n, 0n];
  for (const bit of exponent.toString(2)) {
    result = times(result, result);
    if (bit === '1') result = times(result, base);
  }
  return result;
}

function times([a, b]: Complex, [c, d]: Complex): Complex {
  return [(a * c - b * d + PRIME * PRIME) % PRIME, (a * d + b * c) % PRIME];
}

function placed(mcl: Mcl, value: readonly bigint[]): Pointer {
  const to = mcl.room(value.length * FP_BYTES);
  for (const [i, part] of value.entries())
    mcl.setField(to + i * FP_BYTES, fromHex(part.toString(16).padStart(2 * WORD, '0')));
  return to;
}

function readField(to: Pointer, word: Uint8Array): boolean {
  if (Buffer.compare(word, PRIME_BYTES) >= 0) return false;
  curve().mcl.setField(to, word);
  return true;
}

function isZero(words: Uint8Array): boolean {
  return words.every((byte) => byte === 0);
}

/** Bytes that are not there are 0. */
function partOf(data: Uint8Array, at: number, length: number): Uint8Array {
  const found = data.subarray(at, at + length);
  if (found.length === length) return found;
  const bytes = new Uint8Array(length);
  bytes.set(found);
  return bytes;
}
