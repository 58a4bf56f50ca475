import { pow } from '../../java-compat/double.js';
import { strictPow } from '../../java-compat/strict-math.js';
import type { Properties } from './properties.js';

/**
 * The power by the rule that the chain has: fdlibm's once the committee has decided so (87), else the exact one
 * rounded.
 */
export function chainPow(properties: Properties, base: number, exponent: number): number {
  return properties.isOn('ALLOW_STRICT_MATH') ? strictPow(base, exponent) : pow(base, exponent);
}
