import { ArithmeticError, longValueExact, wrap64 } from '../../primitives/int64.js';
import type { Properties } from '../state/properties.js';

/** Overflow rule of the resource formulas. */
export interface LongArithmetic {
  /** Applies the overflow rule to a product, or to a sum of products, before it is divided. */
  product(value: bigint): bigint;
  /** Applies the overflow rule to a quotient. @throws {ArithmeticError} with `EXACT`: the quotient exceeds 64 bits */
  quotient(value: bigint): bigint;
}

/** Java's long arithmetic: overflows wrap. */
export const WRAPPING: LongArithmetic = { product: wrap64, quotient: wrap64 };

/** Exact intermediate values. A result beyond 64 bits is an error. Reference: ResourceProcessor.hardenCalculation. */
export const EXACT: LongArithmetic = { product: (value) => value, quotient: longValueExact };

/** Returns the arithmetic in force: `EXACT` since proposal 97, `WRAPPING` before. */
export function arithmeticOf(properties: Properties): LongArithmetic {
  return properties.isOn('ALLOW_HARDEN_RESOURCE_CALCULATION') ? EXACT : WRAPPING;
}

/**
 * Returns an account's share of a limit: amount × limit / weight, rounded down. Reference: calculateGlobalLimitV1 and
 * V2.
 * @throws {ArithmeticError} the result exceeds 64 bits, or the weight is 0
 */
export function hardenedShare(amount: bigint, limit: bigint, weight: bigint): bigint {
  if (weight === 0n) throw new ArithmeticError('BigInteger divide by zero');
  return longValueExact((amount * limit) / weight);
}
