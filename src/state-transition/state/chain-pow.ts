import { pow } from '../../java-compat/double.js';
import { strictPow } from '../../java-compat/strict-math.js';
import type { Properties } from './properties.js';

/** Computes a power by the rule in force: fdlibm's since proposal 87, before that the exact power rounded. */
export function chainPow(properties: Properties, base: number, exponent: number): number {
  return properties.isOn('ALLOW_STRICT_MATH') ? strictPow(base, exponent) : pow(base, exponent);
}
