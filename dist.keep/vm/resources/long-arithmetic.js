import { ArithmeticError, longValueExact, wrap64 } from '../../log/domain/int64.js';
/** As Java's longs: what leaves 64 bits is cut off. */
export const WRAPPING = { product: wrap64, quotient: wrap64 };
/** Without bounds in between; a result out of 64 bits is an error. Reference: ResourceProcessor.hardenCalculation. */
export const EXACT = { product: (value) => value, quotient: longValueExact };
/** The arithmetic that the committee has decided (97). */
export function arithmeticOf(properties) {
    return properties.isOn('ALLOW_HARDEN_RESOURCE_CALCULATION') ? EXACT : WRAPPING;
}
/**
 * What `amount` parts of `weight` give of a limit, in whole numbers. Reference: calculateGlobalLimitV1 and V2.
 * @throws {ArithmeticError} a result out of 64 bits, no weight at all
 */
export function hardenedShare(amount, limit, weight) {
    if (weight === 0n)
        throw new ArithmeticError('BigInteger divide by zero');
    return longValueExact((amount * limit) / weight);
}
//# sourceMappingURL=long-arithmetic.js.map