import { pow } from '../../java-compat/double.js';
import { strictPow } from '../../java-compat/strict-math.js';
import type { Properties } from './properties.js';

/**
 * Computes base ^ exponent. Before proposal 87, returns the exact power, correctly rounded. Afterwards, uses the
 * algorithm of fdlibm.
 */
export function chainPow(properties: Properties, base: number, exponent: number): number {
  return properties.isOn('ALLOW_STRICT_MATH') ? strictPow(base, exponent) : pow(base, exponent);
}
