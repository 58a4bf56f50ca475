import { JavaError } from './java-error.js';
import { numberFormat } from './number.js';

/** A decimal number of any size, like Java's `BigDecimal`: unscaled · 10^-scale. */
export class JavaDecimal {
  readonly unscaled: bigint;
  readonly scale: number;

  constructor(unscaled: bigint, scale: number) {
    this.unscaled = unscaled;
    this.scale = scale;
  }

  /**
   * Parses a number.
   * @throws {JavaError} NumberFormatException (with a null message, as in Java 8): `text` is not a number, or has too
   * many digits
   */
  static parse(text: string): JavaDecimal {
    const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text);
    const [, sign = '', whole = '', fraction = '', exponent = '0'] = match ?? [];
    if (match === null || whole + fraction === '' || exponent.length > EXPONENT_CHARS_MAX) throw numberFormat(null);
    if (whole.length + fraction.length > DIGITS_MAX) throw numberFormat(null);
    const unscaled = BigInt(whole + fraction);
    return new JavaDecimal(sign === '-' ? -unscaled : unscaled, fraction.length - Number(exponent));
  }

  /**
   * Returns the same number with the fewest digits. The result for 0 has the scale 0. Reference:
   * BigDecimal.stripTrailingZeros.
   */
  withoutZeros(): JavaDecimal {
    if (this.unscaled === 0n) return new JavaDecimal(0n, 0);
    const digits = this.unscaled.toString();
    // Counts zeros in a loop. A pattern such as /0+$/ takes quadratic time if another digit follows many zeros.
    let end = digits.length;
    while (digits[end - 1] === '0') end--;
    const zeros = digits.length - end;
    return zeros === 0 ? this : new JavaDecimal(this.unscaled / 10n ** BigInt(zeros), this.scale - zeros);
  }

  /** Formats the number as Java does. Reference: BigDecimal.toString. */
  toString(): string {
    const digits = (this.unscaled < 0n ? -this.unscaled : this.unscaled).toString();
    const sign = this.unscaled < 0n ? '-' : '';
    if (this.scale === 0) return sign + digits;
    const adjusted = -this.scale + (digits.length - 1);
    if (this.scale >= 0 && adjusted >= -6) {
      const padded = digits.padStart(this.scale + 1, '0');
      return `${sign}${padded.slice(0, -this.scale)}.${padded.slice(-this.scale)}`;
    }
    const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
    return `${sign}${mantissa}${adjusted === 0 ? '' : `E${adjusted > 0 ? '+' : ''}${adjusted}`}`;
  }

  /**
   * Returns the number as a long. Reference: BigDecimal.longValueExact.
   * @throws {JavaError} ArithmeticException: when the number is not an integer, or it is too large
   */
  toLongExact(): bigint {
    if (this.unscaled === 0n) return 0n;
    const precision = (this.unscaled < 0n ? -this.unscaled : this.unscaled).toString().length;
    if (precision - this.scale > 19) throw arithmetic('Overflow');
    if (precision - this.scale <= 0) throw arithmetic('Rounding necessary');
    const value = this.wholePart();
    if (value === undefined) throw arithmetic('Rounding necessary');
    if (BigInt.asIntN(64, value) !== value) throw arithmetic('Overflow');
    return value;
  }

  /** Returns the low 32 bits of the integer part. Reference: BigDecimal.intValue. */
  toInt(): number {
    if (this.scale < -400 || this.scale > DIGITS_MAX) return 0;
    const factor = 10n ** BigInt(Math.abs(this.scale));
    return Number(BigInt.asIntN(32, this.scale <= 0 ? this.unscaled * factor : this.unscaled / factor));
  }

  /**
   * Returns the number as an int. Reference: BigDecimal.intValueExact.
   * @throws {JavaError} ArithmeticException: when the number is not an integer, or it is too large
   */
  toIntExact(): number {
    const value = this.toLongExact();
    if (BigInt.asIntN(32, value) !== value) throw arithmetic('Overflow');
    return Number(value);
  }

  private wholePart(): bigint | undefined {
    if (this.scale <= 0) return this.unscaled * 10n ** BigInt(-this.scale);
    const factor = 10n ** BigInt(this.scale);
    return this.unscaled % factor === 0n ? this.unscaled / factor : undefined;
  }
}

/** Maximum number of digits. Numbers with more digits are rejected, because parsing takes quadratic time. */
const DIGITS_MAX = 65_535;
const EXPONENT_CHARS_MAX = 11;

function arithmetic(text: string): JavaError {
  return new JavaError('java.lang.ArithmeticException', text);
}
