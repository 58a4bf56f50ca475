import type { Code } from '../assembler.js';
import { signedDigits } from '../limbs.js';
import type { NumberFunctions } from './number-functions.js';

/**
 * Arithmetic with a + b i, i² = -1, modulo a prime. Limbs are signed, from -2^(limb bits - 1) on, and numbers are kept
 * times 2^(limbs × limb bits) (Montgomery). The *size* of a number is how many times that its limbs may have, either
 * way. What a function writes has size 1; a product to which nothing is added lies between -p and p, if its factors lie
 * between -4 p and 4 p.
 */
export interface Field {
  readonly prime: bigint;
  readonly limbs: number;
  readonly limbBits: number;
  readonly form: Form;
}

/** How a limb of both parts lies in a vector, and how sums are made of such. */
export interface Form {
  plus(a: Code, b: Code): Code;
  minus(a: Code, b: Code): Code;
  times(count: number, a: Code): Code;
  /** a - b i */
  conjugate(a: Code): Code;
  /** -b + a i */
  turned(a: Code): Code;
  /** Writes limb `at` of both parts of the number at an address. */
  write(views: Views, address: number, at: number, real: number, imaginary: number): void;
  /**
   * The functions over a field's numbers.
   * @param sums address of the place where products are added up, two numbers long
   */
  functionsOf(field: Field, sums: number): NumberFunctions;
  /** Halves of products of numbers of size 1 whose sum may be reduced. */
  halvesMax(field: Field): number;
}

/** A memory, by what lies in it. */
interface Views {
  readonly words: Int32Array;
  readonly doubles: Float64Array;
}

export const LIMB_BYTES = 16;

export function numberBytes({ limbs }: Pick<Field, 'limbs'>): number {
  return limbs * LIMB_BYTES;
}

/** 2^(limbs × limb bits) modulo the prime: 1 as it is kept. */
export function montgomery({ prime, limbs, limbBits }: Field): bigint {
  return (1n << BigInt(limbs * limbBits)) % prime;
}

/** A number by its limbs: an expression for each, evaluated wherever it stands. */
export interface Factor {
  readonly limbs: (at: number) => Code;
  readonly size: number;
  readonly form: Form;
}

export function timesComplex(count: number, { limbs, size, form }: Factor): Factor {
  if (count === 1) return { limbs, size, form };
  return { limbs: (at) => form.times(count, limbs(at)), size: size * Math.abs(count), form };
}

export function plusComplex(a: Factor, b: Factor): Factor {
  return { limbs: (at) => a.form.plus(a.limbs(at), b.limbs(at)), size: a.size + b.size, form: a.form };
}

export function minusComplex(a: Factor, b: Factor): Factor {
  return { limbs: (at) => a.form.minus(a.limbs(at), b.limbs(at)), size: a.size + b.size, form: a.form };
}

/** a - b i */
export function conjugate({ limbs, size, form }: Factor): Factor {
  return { limbs: (at) => form.conjugate(limbs(at)), size, form };
}

/** i times a number. */
export function turned({ limbs, size, form }: Factor): Factor {
  return { limbs: (at) => form.turned(limbs(at)), size, form };
}

/** Limbs of a constant. */
export function digitsOf({ limbs, limbBits }: Field, value: bigint): number[] {
  return signedDigits(value, limbs, limbBits).map(Number);
}

/** Writes a + b i as it is. */
export function writeComplex(views: Views, address: number, field: Field, [a, b]: Complex): void {
  const [real, imaginary] = [digitsOf(field, a), digitsOf(field, b)];
  for (let at = 0; at < field.limbs; at++)
    field.form.write(views, address, at, itemOf(real, at), itemOf(imaginary, at));
}

/** a + b i */
export type Complex = readonly [a: bigint, b: bigint];

export function itemOf(locals: readonly number[], at: number): number {
  const local = locals[at];
  if (local === undefined) throw new RangeError(`there is no local ${at}`);
  return local;
}
