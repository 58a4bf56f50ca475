import type { Complex } from './complex-field.js';

/** Arithmetic of numbers a + b × i modulo a prime, with i² = −1, as bigints. Used to compute constants. */
export class ComplexNumbers {
  private readonly prime: bigint;

  constructor(prime: bigint) {
    this.prime = prime;
  }

  times([a, b]: Complex, [c, d]: Complex): Complex {
    const { prime } = this;
    return [(a * c + (prime - b) * d) % prime, (a * d + b * c) % prime];
  }

  raised(base: Complex, exponent: bigint): Complex {
    let result: Complex = [1n, 0n];
    for (const bit of exponent.toString(2)) {
      result = this.times(result, result);
      if (bit === '1') result = this.times(result, base);
    }
    return result;
  }

  quotient(a: Complex, b: Complex): Complex {
    return this.times(a, this.raised(b, this.prime ** 2n - 2n));
  }
}
