import { ArithmeticError, longValueExact, wrap64 } from '../../primitives/int64.js';
import type { Properties } from '../state/properties.js';

/** How the formulas of resources keep products, sums and quotients in 64 bits. */
export interface LongArithmetic {
  /** A product, or a sum of products, before it is divided. */
  product(value: bigint): bigint;
  /** The quotient. */
  quotient(value: bigint): bigint;
}

/** As Java's longs: what leaves 64 bits is cut off. */
export const WRAPPING: LongArithmetic = { product: wrap64, quotient: wrap64 };

/** Without bounds in between; a result out of 64 bits is an error. Reference: ResourceProcessor.hardenCalculation. */
export const EXACT: LongArithmetic = { product: (value) => value, quotient: longValueExact };

/** The arithmetic that the committee has decided (97). */
export function arithmeticOf(properties: Properties): LongArithmetic {
  return properties.isOn('ALLOW_HARDEN_RESOURCE_CALCULATION') ? EXACT : WRAPPING;
}

/**
 * What `amount` parts of `weight` give of a limit, in whole numbers. Reference: calculateGlobalLimitV1 and V2.
 * @throws {ArithmeticError} a result out of 64 bits, no weight at all
 */
export function hardenedShare(amount: bigint, limit: bigint, weight: bigint): bigint {
  if (weight === 0n) throw new ArithmeticError('BigInteger divide by zero');
  return longValueExact((amount * limit) / weight);
}
