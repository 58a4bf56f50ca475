import { itemAt } from '../primitives/assert.js';
import { INT64_MAX, INT64_MIN } from '../primitives/int64.js';
import { historicalPow } from './double-history.js';

// Java's operations on doubles, as used by the rules of the network. Conversions to bigint are Java's casts to long.
// `Number(bigint)` equals Java's conversion of a long to a double (nearest, ties to even). `Math.ceil`, `Math.floor`
// and the four basic operations are the same in both languages.

/** Converts as Java's `(long) value`: truncates, saturates at the ends of int64, and returns 0 for NaN. */
export function toLong(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  if (value >= 2 ** 63) return INT64_MAX;
  if (value <= -(2 ** 63)) return INT64_MIN;
  return BigInt(Math.trunc(value));
}

/** Converts as Java's `(int) value`: truncates, saturates at the ends of int32, and returns 0 for NaN. */
export function toInt(value: number): number {
  if (Number.isNaN(value)) return 0;
  return Math.trunc(Math.min(Math.max(value, -(2 ** 31)), 2 ** 31 - 1));
}

/** Rounds as Java's `Math.round(value)`: floor(value + 1/2) of the exact sum, then the cast to long. */
export function round(value: number): bigint {
  return toLong(Math.round(value));
}

/** Rounds up to an integer, as Java's `(long) Math.ceil(value)`. */
export function ceil(value: number): bigint {
  return toLong(Math.ceil(value));
}

/**
 * Returns `base` to the power of `exponent`, correctly rounded: the double nearest to the exact power. For a few powers
 * in the history of the main network, returns the recorded result, whose last bit differs.
 */
export function pow(base: number, exponent: number): number {
  const special = specialPower(base, exponent);
  if (special !== undefined) return special;
  if (base === last.base && exponent === last.exponent) return last.result;
  const result = historicalPow(base, exponent) ?? signedPower(base, exponent);
  last = { base, exponent, result };
  return result;
}

/**
 * The last computed power. Consecutive calls often need the same power, because the energy factors of many contracts
 * have decreased over the same number of cycles.
 */
let last = { base: 1, exponent: 1, result: 1 };

function signedPower(base: number, exponent: number): number {
  const magnitude = power(Math.abs(base), exponent);
  return base < 0 && isOdd(exponent) ? -magnitude : magnitude;
}

/**
 * Applies Java's rules for zeros, infinities, NaN and negative bases. Returns undefined if no such rule applies, so
 * that the power must be computed.
 */
export function specialPower(base: number, exponent: number): number | undefined {
  if (exponent === 0) return 1;
  if (Number.isNaN(base) || Number.isNaN(exponent)) return Number.NaN;
  if (exponent === 1) return base;
  const magnitude = Math.abs(base);
  if (!Number.isFinite(exponent)) {
    if (magnitude === 1) return Number.NaN;
    return magnitude > 1 === exponent > 0 ? Number.POSITIVE_INFINITY : 0;
  }
  if (base === 0 || !Number.isFinite(base)) {
    const big = (magnitude !== 0) === exponent > 0 ? Number.POSITIVE_INFINITY : 0;
    const isNegative = base < 0 || Object.is(base, -0);
    return isNegative && isOdd(exponent) ? -big : big;
  }
  if (base < 0 && !Number.isInteger(exponent)) return Number.NaN;
  if (magnitude === 1) return base < 0 && isOdd(exponent) ? -1 : 1;
  return undefined;
}

function isOdd(exponent: number): boolean {
  return Number.isInteger(exponent) && Math.abs(exponent % 2) === 1;
}

/** Precision of the first attempt, in fraction bits. It is doubled until the rounding of the result is certain. */
const FIRST_BITS = 160n;
/**
 * Maximum precision in bits. If the rounding is still uncertain, the exact power is halfway between two doubles. No
 * other power is so close to the middle of two doubles.
 */
const LAST_BITS = 1280n;

function power(base: number, exponent: number): number {
  // Outside of these limits, the result is infinity or zero.
  const estimate = exponent * Math.log2(base);
  if (estimate > 1100) return Number.POSITIVE_INFINITY;
  if (estimate < -1200) return 0;
  const x = parts(base);
  const y = parts(Math.abs(exponent));
  const sign = exponent < 0 ? -1n : 1n;
  for (let bits = FIRST_BITS; ; bits *= 2n) {
    // A large exponent needs more bits, because it multiplies the error of the logarithm.
    const scale = bits + 64n + (y.shift + 53n > 0n ? y.shift + 53n : 0n);
    const product = sign * logarithm(x, scale) * y.digits;
    const t = y.shift >= 0n ? product << y.shift : product >> -y.shift;
    const { digits, shift } = exponential(t, scale);
    const rounded = toDouble(digits, scale, shift, bits < LAST_BITS ? scale - bits : 0n);
    if (rounded !== undefined) return rounded;
  }
}

interface Parts {
  readonly digits: bigint;
  readonly shift: bigint;
}

/** Returns digits and shift of a positive double, which is digits × 2^shift. */
function parts(value: number): Parts {
  float[0] = value;
  const bits = itemAt(word, 0);
  const biased = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  return biased === 0n
    ? { digits: fraction, shift: -1074n }
    : { digits: fraction | (1n << 52n), shift: biased - 1075n };
}

const float = new Float64Array(1);
const word = new BigUint64Array(float.buffer);

/**
 * Returns ln(digits × 2^shift) with `scale` fraction bits. Computed as 2 × atanh((v − 1) / (v + 1)) for a v near 1,
 * plus a multiple of ln 2.
 */
function logarithm({ digits, shift }: Parts, scale: bigint): bigint {
  const length = BigInt(digits.toString(2).length);
  let value = (digits << scale) >> (length - 1n);
  if (length - 1n > scale) throw new RangeError(`scale of ${scale} bits is below the ${length} digits of the number`);
  let twos = shift + length - 1n;
  const one = 1n << scale;
  if (value > one + (one >> 1n)) {
    value >>= 1n;
    twos += 1n;
  }
  return 2n * arcTanh(value - one, value + one, scale) + twos * ln2(scale);
}

/** Returns atanh(numerator / denominator) for a small quotient. */
function arcTanh(numerator: bigint, denominator: bigint, scale: bigint): bigint {
  const z = (numerator << scale) / denominator;
  const square = (z * z) >> scale;
  let sum = 0n;
  let term = z;
  for (let k = 1n; term !== 0n && term !== -1n; k += 2n) {
    sum += term / k;
    term = (term * square) >> scale;
  }
  return sum;
}

const ln2Of = new Map<bigint, bigint>();

function ln2(scale: bigint): bigint {
  let value = ln2Of.get(scale);
  if (value === undefined) {
    // ln 2 has sixteen more bits, because it is later multiplied by up to 1200. It is computed as 2 × atanh(1/3).
    value = (2n * arcTanh(1n, 3n, scale + 16n)) >> 16n;
    if (ln2Of.size < 64) ln2Of.set(scale, value);
  }
  return value;
}

/** Number of times that t is halved before the series of e^t is evaluated. The result is then squared as often. */
const HALVINGS = 12n;

/** Returns e^t as a double-like number: digits × 2^(shift − scale), with digits from 2^scale to 2^(scale+1) − 1. */
function exponential(t: bigint, scale: bigint): Parts {
  const log2 = ln2(scale);
  let twos = t / log2;
  if (t - twos * log2 < 0n) twos -= 1n;
  const wide = scale + HALVINGS + 8n;
  const r = ((t - twos * log2) << (wide - scale)) >> HALVINGS;
  let sum = 1n << wide;
  let term = sum;
  for (let k = 1n; term !== 0n; k++) {
    term = ((term * r) >> wide) / k;
    sum += term;
  }
  for (let k = 0n; k < HALVINGS; k++) sum = (sum * sum) >> wide;
  return { digits: sum >> (wide - scale), shift: twos };
}

/**
 * Returns digits × 2^(shift − scale) as the nearest double. Returns undefined if the last `unsure` bits could change
 * the result. If `unsure` is 0, the value is exact, and a value halfway between two doubles is rounded to the even one.
 */
function toDouble(digits: bigint, scale: bigint, shift: bigint, unsure: bigint): number | undefined {
  const length = BigInt(digits.toString(2).length);
  const exponent = shift - scale + length - 1n;
  if (exponent > 1024n) return Number.POSITIVE_INFINITY;
  // Doubles below 2^-1022 have a fixed distance, and so fewer than 53 significant bits.
  const ulp = exponent < -1022n ? -1074n : exponent - 52n;
  const drop = ulp - (shift - scale);
  const kept = digits >> drop;
  const rest = digits - (kept << drop);
  const half = 1n << (drop - 1n);
  const distance = rest > half ? rest - half : half - rest;
  if (unsure !== 0n && distance >> unsure === 0n) return undefined;
  const isTie = unsure === 0n && distance >> (drop / 2n) === 0n;
  const up = isTie ? (kept & 1n) === 1n : rest > half;
  return scaled(up ? kept + 1n : kept, ulp);
}

/** Returns digits × 2^shift exactly. The digits must be at most 2^53. */
function scaled(digits: bigint, shift: bigint): number {
  const value = Number(digits);
  const twos = Number(shift);
  // Multiplies in two steps, because 2 ** twos may be too large for a double. Neither step rounds.
  if (twos > 900) return value * 2 ** 900 * 2 ** (twos - 900);
  if (twos < -1022) return value * 2 ** (twos + 52) * 2 ** -52;
  return value * 2 ** twos;
}
