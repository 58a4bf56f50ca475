import { type Code, get, i64, load, op, set, storeAt } from './assembler.js';

/**
 * Number of limbs of a large number (a field element, an integer below 2^261). A limb has 29 bits and is stored in a
 * signed 64-bit word, so a number has 72 bytes. The lowest limb is first.
 *
 * A product of two limbs has 58 bits. A word can contain the sum of more than nine such products. A limb may be
 * negative, or may exceed 29 bits by some bits. A number has *size* n if all its limbs are between −n × 2^29 and n ×
 * 2^29.
 */
export const LIMBS = 9;
export const LIMB_BITS = 29;
export const FIELD_BYTES = LIMBS * 8;
export const LIMB_MASK = (1n << BigInt(LIMB_BITS)) - 1n;

/** A number as one expression per limb. The expression is evaluated again at each use. */
export type Limbs = (at: number) => Code;

export function locals(first: number): Limbs {
  return (at) => get(first + at);
}

export function inMemory(address: Code): Limbs {
  return (at) => load('i64', address, at * 8);
}

export function less(a: Limbs, b: Limbs): Limbs {
  return (at) => op('sub64', a(at), b(at));
}

export function negative(a: Limbs): Limbs {
  return (at) => op('sub64', i64(0n), a(at));
}

export function storeLimbs(to: Code, value: Limbs): Code {
  return eachLimb((at) => storeAt('i64', to, value(at), at * 8));
}

/** Returns code that stores a number in locals. */
export function setLimbs(first: number, value: Limbs): Code {
  return eachLimb((at) => set(first + at, value(at)));
}

export function sumOf(...terms: readonly Code[]): Code {
  return terms.length === 0 ? i64(0n) : terms.reduce((sum, term) => op('add64', sum, term));
}

export function eachLimb(code: (at: number) => Code): Code {
  return Array.from({ length: LIMBS }, (_, at) => code(at));
}

/** Returns code for the part of a word that exceeds its limb and is carried to the next limb. */
export const above = (local: number): Code => op('shrS64', get(local), i64(BigInt(LIMB_BITS)));
/** Returns code for the part of a word that stays in its limb. */
export const within = (local: number): Code => op('and64', get(local), i64(LIMB_MASK));

/** Returns limb `at` of a constant. The ninth limb contains all remaining bits. */
export function limbOf(value: bigint, at: number): bigint {
  const rest = value >> BigInt(at * LIMB_BITS);
  return at === LIMBS - 1 ? rest : rest & LIMB_MASK;
}

/** Returns the signed limbs of a constant, which may be negative. The highest limb contains all remaining bits. */
export function signedDigits(value: bigint, limbs = LIMBS, limbBits = LIMB_BITS): bigint[] {
  let rest = value;
  return Array.from({ length: limbs }, (_, at) => {
    const digit = at === limbs - 1 ? rest : BigInt.asIntN(limbBits, rest);
    rest = (rest - digit) >> BigInt(limbBits);
    return digit;
  });
}

/** Writes a number to memory. The number must not be negative. Each limb fits into the lower half of its word. */
export function writeLimbs(words: Int32Array, address: number, value: bigint): void {
  for (let at = 0; at < LIMBS; at++) words.set([Number(limbOf(value, at)), 0], address / 4 + at * 2);
}

/** Returns the terms of one column of the product a × b. Column c (0 to 16) has the weight 2^(29 × c). */
export function product(a: Limbs, b: Limbs, column: number): Code[] {
  return lowerOf(column).map((at) => op('mul64', a(at), b(column - at)));
}

/**
 * Returns the terms of one column of a². Column c has the weight 2^(29 × c).
 * @param doubled twice the limbs of `a`
 */
export function square(a: Limbs, doubled: Limbs, column: number): Code[] {
  return lowerOf(column)
    .filter((at) => at * 2 <= column)
    .map((at) => op('mul64', at * 2 === column ? a(at) : doubled(at), a(column - at)));
}

/**
 * Returns the pairs of limbs whose products belong to a column. Each pair (i, column − i) is represented by the index
 * i.
 */
export function lowerOf(column: number, limbs = LIMBS): number[] {
  const from = Math.max(0, column - limbs + 1);
  return Array.from({ length: Math.min(column, limbs - 1) - from + 1 }, (_, at) => from + at);
}
