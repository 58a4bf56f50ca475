import { pow } from '@noble/curves/abstract/modular.js';
import { FIELD_BYTES } from '../limbs.js';
import { powerSteps } from '../power-steps.js';
import { JUBJUB_P } from './field.js';
import type { Jubjub } from './jubjub.js';

/** Exponent of 2 in the factorization p − 1 = 2^32 × ODD. */
const TWOS = 32;
const ODD = (JUBJUB_P - 1n) >> BigInt(TWOS);
/** A number that is not a square modulo p. */
const NO_SQUARE = 7n;

/** Bits per digit of a discrete logarithm. The base of the logarithm has the order 2^32. */
const DIGIT_BITS = 4;
const DIGITS = TWOS / DIGIT_BITS;
const DIGIT_VALUES = 1 << DIGIT_BITS;

const POWER_WINDOW = 4;
const POWER = powerSteps((ODD - 1n) / 2n, POWER_WINDOW);

/** Computes square roots of quotients. Uses the Tonelli-Shanks method with four bits per step. */
export class Roots {
  private readonly curve: Jubjub;
  private readonly numbers: readonly [number, number, number, number];
  private readonly odd: readonly number[];
  /**
   * Memory addresses of factors, by position and value of a digit. The exponent is that of a power of the base of the
   * logarithm; a multiplication by the factor sets this digit of the exponent to 0.
   */
  private readonly takes: readonly (readonly number[])[];
  /** Discrete logarithm (0 to 15) of each 16th root of unity. The key of the map is the encoded root of unity. */
  private readonly digits = new Map<string, number>();

  constructor(curve: Jubjub) {
    this.curve = curve;
    const allocate = () => curve.allocate(FIELD_BYTES);
    this.numbers = [allocate(), allocate(), allocate(), allocate()];
    this.odd = Array.from({ length: 1 << (POWER_WINDOW - 1) }, allocate);
    const base = allocate();
    curve.write(base, pow(NO_SQUARE, ODD, JUBJUB_P));
    const unit = allocate();
    curve.invert(unit, base);
    this.takes = Array.from({ length: DIGITS }, () => {
      const row = Array.from({ length: DIGIT_VALUES }, allocate);
      curve.write(row[0] ?? 0, 1n);
      for (let value = 1; value < DIGIT_VALUES; value++) {
        curve.run.multiply(row[value] ?? 0, row[value - 1] ?? 0, unit);
      }
      this.square(unit, DIGIT_BITS);
      return row;
    });
    this.square(base, TWOS - DIGIT_BITS);
    const power = allocate();
    curve.write(power, 1n);
    for (let value = 0; value < DIGIT_VALUES; value++) {
      this.digits.set(this.textOf(power), value);
      curve.run.multiply(power, power, base);
    }
  }

  /**
   * Returns a square root of dividend / divisor, little-endian. Returns undefined if the quotient is not a square.
   * @param divisor not 0
   */
  rootOfQuotient(dividend: bigint, divisor: bigint): Uint8Array | undefined {
    const { curve } = this;
    const { run } = curve;
    const [a, root, rest, power] = this.numbers;
    curve.write(a, dividend);
    curve.write(power, divisor);
    curve.invert(power, power);
    run.multiply(a, a, power);
    if (dividend === 0n) return curve.read(a);
    // Let t be a^((ODD − 1) / 2). Then a × t, multiplied by some power of the base, is a root of a. The square of this
    // power is the inverse of a × t².
    this.raise(power, a);
    run.multiply(root, a, power);
    run.multiply(rest, root, power);
    let exponent = 0;
    for (let digitIndex = 0; digitIndex < DIGITS; digitIndex++) {
      run.multiply(power, rest, this.take(0, 0));
      this.square(power, TWOS - DIGIT_BITS * (digitIndex + 1));
      const digit = this.digits.get(this.textOf(power)) ?? 0;
      if (digitIndex === 0 && digit % 2 === 1) return undefined;
      run.multiply(rest, rest, this.take(digitIndex, digit));
      exponent += digit * 2 ** (DIGIT_BITS * digitIndex);
    }
    let half = exponent / 2;
    for (let digitIndex = 0; digitIndex < DIGITS; digitIndex++) {
      run.multiply(root, root, this.take(digitIndex, half % DIGIT_VALUES));
      half = Math.floor(half / DIGIT_VALUES);
    }
    return curve.read(root);
  }

  private take(digitIndex: number, digit: number): number {
    return this.takes[digitIndex]?.[digit] ?? 0;
  }

  /** Raises a number to the power (ODD − 1) / 2. */
  private raise(to: number, a: number): void {
    const { odd } = this;
    const { run } = this.curve;
    const [one, last] = [odd[0] ?? 0, odd.at(-1) ?? 0];
    // The last element of the table is computed last. Until then, it stores a².
    run.multiply(one, a, this.take(0, 0));
    run.multiply(last, a, a);
    for (let at = 1; at < odd.length; at++) run.multiply(odd[at] ?? 0, odd[at - 1] ?? 0, last);
    for (const [at, { squares, factor }] of POWER.entries()) {
      if (at === 0) run.multiply(to, odd[factor ?? 0] ?? 0, this.take(0, 0));
      else {
        this.square(to, squares);
        if (factor !== undefined) run.multiply(to, to, odd[factor] ?? 0);
      }
    }
  }

  private square(at: number, times: number): void {
    for (let i = 0; i < times; i++) this.curve.run.multiply(at, at, at);
  }

  private textOf(at: number): string {
    return Buffer.from(this.curve.read(at)).toString('latin1');
  }
}
