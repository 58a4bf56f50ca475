import type { Code } from '../assembler.js';
import { signedDigits } from '../limbs.js';
import type { NumberFunctions } from './number-functions.js';

/**
 * Field of numbers a + b i with i² = -1, modulo a prime. Each limb is signed: at least -2^(limb bits - 1) and below
 * 2^(limb bits - 1). Numbers are stored in Montgomery form: multiplied by 2^(limbs × limb bits). A number has *size* n
 * if its limbs lie within n times the range of a limb. Functions write numbers of size 1. A product without addend is
 * between -p and p, if its factors are between -4 p and 4 p.
 */
export interface Field {
  readonly prime: bigint;
  readonly limbs: number;
  readonly limbBits: number;
  readonly form: Form;
}

/** Vector form of a limb of both parts (real and imaginary), with its arithmetic. */
export interface Form {
  plus(a: Code, b: Code): Code;
  minus(a: Code, b: Code): Code;
  times(count: number, a: Code): Code;
  /** Returns a - b i. */
  conjugate(a: Code): Code;
  /** Returns i times the number, which is -b + a i. */
  turned(a: Code): Code;
  /** Writes limb `at` of both parts of the number at an address. */
  write(words: Int32Array, address: number, at: number, real: number, imaginary: number): void;
  /**
   * Returns the functions for numbers of a field.
   * @param sums address of the accumulator for products, two numbers long
   */
  functionsOf(field: Field, sums: number): NumberFunctions;
  /** Maximum number of half products (see `composer.ts`) whose sum can be reduced. Their factors must have size 1. */
  halvesMax(field: Field): number;
}

export const LIMB_BYTES = 16;

export function numberBytes({ limbs }: Pick<Field, 'limbs'>): number {
  return limbs * LIMB_BYTES;
}

/** Returns 2^(limbs × limb bits) modulo the prime: the stored form of 1. */
export function montgomery({ prime, limbs, limbBits }: Field): bigint {
  return (1n << BigInt(limbs * limbBits)) % prime;
}

/** A number as one expression per limb. An expression is evaluated at each use. */
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

/** Returns the conjugate a - b i. */
export function conjugate({ limbs, size, form }: Factor): Factor {
  return { limbs: (at) => form.conjugate(limbs(at)), size, form };
}

/** Returns i times a number. */
export function turned({ limbs, size, form }: Factor): Factor {
  return { limbs: (at) => form.turned(limbs(at)), size, form };
}

/** Returns the limbs of a constant. */
export function digitsOf({ limbs, limbBits }: Field, value: bigint): number[] {
  return signedDigits(value, limbs, limbBits).map(Number);
}

/** Writes a + b i as given, without conversion to Montgomery form. */
export function writeComplex(words: Int32Array, address: number, field: Field, [a, b]: Complex): void {
  const [real, imaginary] = [digitsOf(field, a), digitsOf(field, b)];
  for (let at = 0; at < field.limbs; at++)
    field.form.write(words, address, at, itemOf(real, at), itemOf(imaginary, at));
}

/** A number a + b i as bigints. */
export type Complex = readonly [a: bigint, b: bigint];

export function itemOf(locals: readonly number[], at: number): number {
  const local = locals[at];
  if (local === undefined) throw new RangeError(`no WebAssembly local with index ${at}`);
  return local;
}
