import { type Combination, type ConstraintSystem, Fr, ONE, type Variable } from './constraint-system.js';

/** A bit of the witness, or a constant bit. A constant bit has no variable. */
export interface Bit {
  readonly value: boolean;
  readonly variable?: Variable;
}

/** A number of the witness, or a linear combination of such numbers. */
export interface Num {
  readonly value: bigint;
  readonly terms: Combination;
}

export const constantBit = (value: boolean): Bit => ({ value });

export function allocateBit(system: ConstraintSystem, value: boolean): Bit & { variable: Variable } {
  const variable = system.allocate(value ? 1n : 0n);
  system.enforce(
    [
      [ONE, 1n],
      [variable, -1n],
    ],
    [[variable, 1n]],
    [],
  );
  return { value, variable };
}

/**
 * Allocates the lowest `count` bits of a number. No constraint requires that the number which these bits encode is
 * below the field modulus.
 */
export function allocateBits(system: ConstraintSystem, value: bigint, count: number): Bit[] {
  return Array.from({ length: count }, (_, i) => allocateBit(system, ((value >> BigInt(i)) & 1n) === 1n));
}

/** Allocates a bit that must be 0 if another bit is 1. */
function allocateBitUnless(system: ConstraintSystem, value: boolean, other: Variable): Bit & { variable: Variable } {
  const variable = system.allocate(value ? 1n : 0n);
  system.enforce(
    [
      [ONE, 1n],
      [other, -1n],
      [variable, -1n],
    ],
    [[variable, 1n]],
    [],
  );
  return { value, variable };
}

/** Returns a bit multiplied by a number, as a linear combination. */
export function bitTerms({ value, variable }: Bit, coefficient: bigint): Combination {
  if (variable !== undefined) return [[variable, coefficient]];
  return value ? [[ONE, coefficient]] : [];
}

/**
 * Returns the conjunction of two bits. If one of the bits is constant, no constraint is needed. Reference: bellman,
 * Boolean::and.
 */
export function and(system: ConstraintSystem, a: Bit, b: Bit): Bit {
  if (a.variable === undefined) return a.value ? b : a;
  if (b.variable === undefined) return b.value ? a : b;
  const value = a.value && b.value;
  const variable = system.allocate(value ? 1n : 0n);
  system.enforce([[a.variable, 1n]], [[b.variable, 1n]], [[variable, 1n]]);
  return { value, variable };
}

export function allocateNum(system: ConstraintSystem, value: bigint): Num {
  return { value, terms: [[system.allocate(value), 1n]] };
}

export function multiply(system: ConstraintSystem, a: Num, b: Num): Num {
  const product = allocateNum(system, Fr.mul(a.value, b.value));
  system.enforce(a.terms, b.terms, product.terms);
  return product;
}

/** Adds a number to the public inputs. */
export function expose(system: ConstraintSystem, { value, terms }: Num): void {
  system.enforce([[system.allocateInput(value), 1n]], [[ONE, 1n]], terms);
}

export function assertNonzero(system: ConstraintSystem, num: Num): void {
  const inverse = allocateNum(system, Fr.inv(num.value));
  system.enforce(num.terms, inverse.terms, [[ONE, 1n]]);
}

export function scaled(terms: Combination, factor: bigint): Combination {
  return terms.map(([variable, coefficient]) => [variable, coefficient * factor]);
}

const FIELD_BITS = 255;

/**
 * Returns the bits of a number, lowest first. Constraints keep the encoded value below the modulus. They compare the
 * bits with those of the largest field element, from the highest bit down: as long as all higher bits are equal, a
 * bit must be 0 where the largest element has 0. Reference: bellman, AllocatedNum::to_bits_le_strict.
 */
export function strictBits(system: ConstraintSystem, num: Num): Bit[] {
  const isSet = (value: bigint, at: number): boolean => ((value >> BigInt(at)) & 1n) === 1n;
  const bits: (Bit & { variable: Variable })[] = [];
  let run: Bit[] = [];
  let isHighest: Bit | undefined;
  for (let at = FIELD_BITS - 1; at >= 0; at--) {
    const value = isSet(num.value, at);
    if (isSet(Fr.ORDER - 1n, at)) {
      const bit = allocateBit(system, value);
      run.push(bit);
      bits.unshift(bit);
      continue;
    }
    if (run.length > 0) {
      if (isHighest !== undefined) run.push(isHighest);
      isHighest = run.reduce((all, bit) => and(system, all, bit));
      run = [];
    }
    bits.unshift(allocateBitUnless(system, value, isHighest!.variable!));
  }
  const sum: Combination = bits.map(({ variable }, i) => [variable, 1n << BigInt(i)]);
  system.enforce([], [], [...sum, ...scaled(num.terms, -1n)]);
  return bits;
}
