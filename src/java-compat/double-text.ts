import { itemAt } from '../primitives/assert.js';

/**
 * Decimal digits that Java releases before 19 print for a double (`Double.toString`). They are not always the shortest
 * digits that identify the double. Java's `BigDecimal.valueOf` uses these digits too.
 */
interface DecimalDigits {
  /** The digits as one integer, above 0. */
  readonly digits: bigint;
  /** Decimal exponent: the value is digits × 10^exponent. */
  readonly exponent: number;
}

const FRACTION_BITS = 52;
/**
 * Number of bits of 5^0, 5^1, 5^2 and so on. As in the table of Java's FloatingDecimal, the value for 5^0 is 0, not 1.
 */
const FIVE_BITS = [
  0, 3, 5, 7, 10, 12, 14, 17, 19, 21, 24, 26, 28, 31, 33, 35, 38, 40, 42, 45, 47, 49, 52, 54, 56, 59, 61,
] as const;

/** Returns the digits of a double. @param value finite, above 0 */
export function javaDigits(value: number): DecimalDigits {
  const { fraction, exponent, significant } = normalized(value);
  let zeros = 0;
  while (((fraction >> BigInt(zeros)) & 1n) === 0n) zeros++;
  const used = FRACTION_BITS + 1 - zeros;
  const behindPoint = Math.max(0, used - exponent - 1);
  // Prints an integer of up to 63 bits without scientific notation. Digits beyond the precision of the double are
  // rounded.
  if (exponent <= 62 && behindPoint === 0 && exponent >= -21) return wholeDigits(fraction, exponent, significant);
  return generated({ fraction: fraction >> BigInt(zeros), exponent, significant, used, behindPoint });
}

/**
 * Returns three numbers: the fraction, shifted so that its leading bit is bit 52; the exponent of this bit; the number
 * of significant bits.
 */
function normalized(value: number): { fraction: bigint; exponent: number; significant: number } {
  scratch[0] = value;
  const fraction = itemAt(word, 0) & 0xfffffffffffffn;
  const biased = Number(itemAt(word, 0) >> 52n);
  if (biased !== 0)
    return { fraction: fraction | (1n << 52n), exponent: biased - 1023, significant: FRACTION_BITS + 1 };
  const length = fraction.toString(2).length;
  const shift = FRACTION_BITS + 1 - length;
  return { fraction: fraction << BigInt(shift), exponent: -1022 - shift, significant: length };
}

function wholeDigits(fraction: bigint, exponent: number, significant: number): DecimalDigits {
  const shift = BigInt(exponent - FRACTION_BITS);
  let digits = shift >= 0n ? fraction << shift : fraction >> -shift;
  let dropped = 0;
  if (exponent > significant) {
    const unsureBits = exponent - significant - 1;
    dropped = unsureBits > 1 ? Math.floor(unsureBits * Math.log10(2)) : 0;
    const unit = 10n ** BigInt(dropped);
    const rest = digits % unit;
    digits /= unit;
    if (dropped > 0 && rest >= unit >> 1n) digits += 1n;
  }
  return { digits, exponent: dropped };
}

interface Parts {
  readonly fraction: bigint;
  readonly exponent: number;
  readonly significant: number;
  /** Number of bits of the fraction from the first to the last set bit. */
  readonly used: number;
  readonly behindPoint: number;
}

/**
 * Generates the decimal digits of a double, highest digit first, until they identify the double. This is the case if
 * the remainder, or its distance to the next digit, is less than half the distance to the neighbouring double.
 * Reference: FloatingDecimal.dtoa.
 */
function generated({ fraction, exponent, significant, used, behindPoint }: Parts): DecimalDigits {
  let decimal = estimatedExponent(fraction, used, exponent);
  const fives = Math.max(0, -decimal);
  const divisorFives = Math.max(0, decimal);
  let twos = fives + behindPoint + exponent;
  let divisorTwos = divisorFives + behindPoint;
  let marginTwos = twos - significant;
  twos -= used - 1;
  const common = Math.min(twos, divisorTwos);
  twos -= common;
  divisorTwos -= common;
  marginTwos -= common;
  // For a power of two, the next lower double is half as far away as the next higher double.
  if (used === 1) marginTwos -= 1;
  if (marginTwos < 0) {
    twos -= marginTwos;
    divisorTwos -= marginTwos;
    marginTwos = 0;
  }
  const width = Math.max(used + twos + fiveBits(fives), divisorTwos + 1 + fiveBits(divisorFives + 1));
  // For numbers with few bits, Java computes with an int or a long. Sums of ints or longs can overflow, and the
  // overflow changes the printed digits.
  const kept = width < 32 ? 32 : width < 64 ? 64 : undefined;
  const wrap = (sum: bigint): bigint => (kept === undefined ? sum : BigInt.asIntN(kept, sum));
  const divisor = (5n ** BigInt(divisorFives)) << BigInt(divisorTwos);
  const ten = divisor * 10n;
  let rest = (fraction * 5n ** BigInt(fives)) << BigInt(twos);
  let margin = (5n ** BigInt(fives)) << BigInt(marginTwos);
  let digits = 0n;
  let count = 0;
  let isLow = false;
  let isHigh = false;
  for (let step = 0; !isLow && !isHigh; step++) {
    const digit = rest / divisor;
    rest = (rest % divisor) * 10n;
    margin = wrap(margin * 10n);
    const isLost = step > 0 && margin <= 0n;
    isLow = isLost || rest < margin;
    // For numbers with 64 bits or more, Java also stops if the sum of remainder and margin equals ten divisors.
    isHigh = isLost || (kept === undefined ? rest + margin >= ten : wrap(rest + margin) > ten);
    if (step === 0 && digit === 0n && !isHigh) decimal -= 1;
    else {
      digits = digits * 10n + digit;
      count++;
    }
    // In scientific notation, at least one digit follows the point.
    if (step === 0 && (decimal < -3 || decimal >= 8)) {
      isLow = false;
      isHigh = false;
    }
  }
  const half = wrap(wrap(2n * rest) - ten);
  const roundsUp = isHigh && (!isLow || half > 0n || (half === 0n && (digits & 1n) === 1n));
  return { digits: roundsUp ? digits + 1n : digits, exponent: decimal + 1 - count };
}

/**
 * Estimates log10 from the leading bits. As in Java, the estimate is exact or 1 too high. Reference: estimateDecExp.
 */
function estimatedExponent(fraction: bigint, used: number, exponent: number): number {
  const leading = Number(fraction) / 2 ** (used - 1);
  return Math.floor((leading - 1.5) * 0.289529654 + 0.176091259 + exponent * 0.301029995663981);
}

function fiveBits(power: number): number {
  return FIVE_BITS[power] ?? power * 3;
}

const scratch = new Float64Array(1);
const word = new BigUint64Array(scratch.buffer);
