import { pow } from '../../java-compat/double.js';
import { strictPow } from '../../java-compat/strict-math.js';
import type { Properties } from './properties.js';

/** Computes a power: since proposal 87 with fdlibm's algorithm, before that as the correctly rounded exact power. */
export function chainPow(properties: Properties, base: number, exponent: number): number {
  return properties.isOn('ALLOW_STRICT_MATH') ? strictPow(base, exponent) : pow(base, exponent);
}
