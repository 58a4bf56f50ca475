import { type Code, lanes, shuffle, vectorOf, ZERO_VECTOR } from '../assembler.js';
import { signedDigits } from '../limbs.js';

/**
 * Field of numbers a + b × i with i² = −1, modulo a prime p. Each limb is signed: at least −2^(limbBits − 1) and
 * below 2^(limbBits − 1). Numbers are stored in Montgomery form: multiplied by 2^(limbs × limbBits).
 *
 * A number has *size* n if its limbs are within n times the range of a limb. Functions write numbers of size 1. A
 * product without an addend is between −p and p, if its factors are between −4 × p and 4 × p.
 *
 * A limb is stored as four 32-bit words: a, b, −b and a. Two vector instructions compute the four products of limbs
 * for (a + b × i) × (c + d × i). The first multiplies (a, a) by (c, d). The second multiplies (b, b) by (−d, c). The
 * sums of these products are the real and the imaginary part.
 */
export interface Field {
  readonly prime: bigint;
  readonly limbs: number;
  readonly limbBits: number;
}

export const LIMB_BYTES = 16;

export function numberBytes({ limbs }: Pick<Field, 'limbs'>): number {
  return limbs * LIMB_BYTES;
}

/** Returns 2^(limbs × limbBits) modulo the prime, which is the Montgomery form of 1. */
export function montgomery({ prime, limbs, limbBits }: Field): bigint {
  return (1n << BigInt(limbs * limbBits)) % prime;
}

/** A number as one expression per limb. The expression is evaluated again at each use. */
export interface Factor {
  readonly limbs: (at: number) => Code;
  readonly size: number;
}

export function timesComplex(count: number, { limbs, size }: Factor): Factor {
  if (count === 1) return { limbs, size };
  const times = (limb: Code): Code =>
    count === -1 ? lanes('sub32', ZERO_VECTOR, limb) : lanes('mul32', limb, everyWord32(count));
  return { limbs: (at) => times(limbs(at)), size: size * Math.abs(count) };
}

export function plusComplex(a: Factor, b: Factor): Factor {
  return { limbs: (at) => lanes('add32', a.limbs(at), b.limbs(at)), size: a.size + b.size };
}

export function minusComplex(a: Factor, b: Factor): Factor {
  return { limbs: (at) => lanes('sub32', a.limbs(at), b.limbs(at)), size: a.size + b.size };
}

/** Returns the conjugate a − b × i of a + b × i. */
export function conjugate({ limbs, size }: Factor): Factor {
  return { limbs: (at) => shuffle(limbs(at), ZERO_VECTOR, [0, 2, 1, 3]), size };
}

/** Returns i times a + b × i, which is −b + a × i. */
export function turned({ limbs, size }: Factor): Factor {
  return { limbs: (at) => shuffle(limbs(at), lanes('sub32', ZERO_VECTOR, limbs(at)), [2, 0, 4, 2]), size };
}

export function everyWord32(value: number): Code {
  return vectorOf(new Uint8Array(Int32Array.of(value, value, value, value).buffer));
}

/** Returns the limbs of a constant. */
export function digitsOf({ limbs, limbBits }: Field, value: bigint): number[] {
  return signedDigits(value, limbs, limbBits).map(Number);
}

/** Writes a + b × i to memory, without conversion to Montgomery form. */
export function writeComplex(words: Int32Array, address: number, field: Field, [a, b]: Complex): void {
  const [real, imaginary] = [digitsOf(field, a), digitsOf(field, b)];
  for (let at = 0; at < field.limbs; at++) writeLimb(words, address, at, itemOf(real, at), itemOf(imaginary, at));
}

/**
 * Writes limb `at` of the number at an address as four words: real part, imaginary part, negated imaginary part, real
 * part.
 */
export function writeLimb(words: Int32Array, address: number, at: number, real: number, imaginary: number): void {
  words.set([real, imaginary, -imaginary, real], (address + at * LIMB_BYTES) >> 2);
}

/** A number a + b × i as bigints. */
export type Complex = readonly [a: bigint, b: bigint];

export function itemOf(locals: readonly number[], at: number): number {
  const local = locals[at];
  if (local === undefined) throw new RangeError(`no WebAssembly local with index ${at}`);
  return local;
}
