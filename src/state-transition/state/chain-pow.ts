import { pow } from '../../java-compat/double.js';
import { strictPow } from '../../java-compat/strict-math.js';
import type { Properties } from './properties.js';

/**
 * Computes base ^ exponent. Before proposal 87, returns the double nearest to the exact power. Afterwards, returns the
 * result of the algorithm of fdlibm, which can differ in the last bit.
 */
export function chainPow(properties: Properties, base: number, exponent: number): number {
  return properties.isOn('ALLOW_STRICT_MATH') ? strictPow(base, exponent) : pow(base, exponent);
}
