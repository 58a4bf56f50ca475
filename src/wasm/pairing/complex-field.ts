import { type Code, lanes, shuffle, vectorOf, ZERO_VECTOR } from '../assembler.js';
import { signedDigits } from '../limbs.js';

/**
 * Arithmetic with a + b i, i² = -1, modulo a prime. A number has four words of 32 bits for each limb: those of a, b, -b and a. So two
 * products of limbs, all that a word takes part in at once, are one instruction: of (a, a) and (c, d), and of (b, b) and (-d, c), whose
 * sums are the parts of (a + b i)(c + d i). Limbs are signed, from -2^(limb bits - 1) on, and numbers are kept times
 * 2^(limbs × limb bits) (Montgomery). The *size* of a number is how many times that its limbs may have, either way. What a function writes
 * has size 1; a product to which nothing is added lies between -p and p, if its factors lie between -4 p and 4 p.
 *
 * How many products a word of 64 bits takes before they are reduced is {@link halvesMax}.
 */
export interface Field {
  readonly prime: bigint;
  readonly limbs: number;
  readonly limbBits: number;
}

export const LIMB_BYTES = 16;

export function numberBytes({ limbs }: Field): number {
  return limbs * LIMB_BYTES;
}

/**
 * Halves of products of numbers of size 1 whose sum fits in a word beside a multiple of the prime: each adds to a column one product of
 * limbs in every row but that of the highest limb, which is short (a column that it is in has no more than the others).
 */
export function halvesMax({ limbs, limbBits }: Field): number {
  return Math.ceil(2 ** (63 - 2 * (limbBits - 1)) / (limbs - 1)) - 2;
}

/** 2^(limbs × limb bits) modulo the prime: 1 as it is kept. */
export function montgomery({ prime, limbs, limbBits }: Field): bigint {
  return (1n << BigInt(limbs * limbBits)) % prime;
}

/** A number by its limbs: an expression for each, evaluated wherever it stands. */
type Limbs = (at: number) => Code;

export interface Factor {
  readonly limbs: Limbs;
  readonly size: number;
}

export function times(count: number, { limbs, size }: Factor): Factor {
  if (count === 1) return { limbs, size };
  return {
    limbs: (at) =>
      count === -1 ? lanes('sub32', ZERO_VECTOR, limbs(at)) : lanes('mul32', limbs(at), everyWord32(count)),
    size: size * Math.abs(count),
  };
}

export function plus(a: Factor, b: Factor): Factor {
  return { limbs: (at) => lanes('add32', a.limbs(at), b.limbs(at)), size: a.size + b.size };
}

export function minus(a: Factor, b: Factor): Factor {
  return { limbs: (at) => lanes('sub32', a.limbs(at), b.limbs(at)), size: a.size + b.size };
}

/** a - b i */
export function conjugate({ limbs, size }: Factor): Factor {
  return { limbs: (at) => shuffle(limbs(at), ZERO_VECTOR, [0, 2, 1, 3]), size };
}

/** i times a number. */
export function turned({ limbs, size }: Factor): Factor {
  return {
    limbs: (at) => shuffle(limbs(at), lanes('sub32', ZERO_VECTOR, limbs(at)), [2, 0, 4, 2]),
    size,
  };
}

/** Which words of a number stand where four are taken. */
export type Words = readonly [number, number, number, number];
/** Words of a number in another order; word 4 is 0. */
export function word({ limbs, size }: Factor, words: Words): Factor {
  return { limbs: (at) => shuffle(limbs(at), ZERO_VECTOR, words), size };
}

export function everyWord32(value: number): Code {
  return vectorOf(new Uint8Array(Int32Array.of(value, value, value, value).buffer));
}

/** Limbs of a constant. */
export function digitsOf({ limbs, limbBits }: Field, value: bigint): number[] {
  return signedDigits(value, limbs, limbBits).map(Number);
}

/** Writes a + b i as it is. */
export function writeComplex(words: Int32Array, address: number, field: Field, [a, b]: Complex): void {
  const [real, imaginary] = [digitsOf(field, a), digitsOf(field, b)];
  for (let at = 0; at < field.limbs; at++) {
    const [x, y] = [itemOf(real, at), itemOf(imaginary, at)];
    words.set([x, y, -y, x], (address + at * LIMB_BYTES) >> 2);
  }
}

/** a + b i */
export type Complex = readonly [a: bigint, b: bigint];

export function itemOf(locals: readonly number[], at: number): number {
  const local = locals[at];
  if (local === undefined) throw new RangeError(`there is no local ${at}`);
  return local;
}
