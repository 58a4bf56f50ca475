import { P } from '../bn254/functions.js';
import type { Complex } from './complex-field.js';

/** Numbers a + b i modulo the prime of BN254, i² = -1, as bigints: for constants. */
export function times([a, b]: Complex, [c, d]: Complex): Complex {
  return [(a * c + (P - b) * d) % P, (a * d + b * c) % P];
}

export function raised(base: Complex, exponent: bigint): Complex {
  let result: Complex = [1n, 0n];
  for (const bit of exponent.toString(2)) {
    result = times(result, result);
    if (bit === '1') result = times(result, base);
  }
  return result;
}

export function quotient(a: Complex, b: Complex): Complex {
  return times(a, raised(b, P ** 2n - 2n));
}
