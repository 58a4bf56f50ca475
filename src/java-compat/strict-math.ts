import { itemAt } from '../primitives/assert.js';
import { specialPower } from './double.js';

/**
 * Coefficients of Java's `StrictMath.pow`, from the C library fdlibm (Sun, 1993). Constants with many digits are
 * written as bits.
 *
 * The result of fdlibm is not always the correctly rounded power, so this code follows its algorithm exactly. The
 * algorithm computes log2(base) as a sum of two doubles with a polynomial. It multiplies this sum by the exponent, and
 * raises 2 to the product.
 */
const L = [
  bits('3fe3333333333303'),
  bits('3fdb6db6db6fabff'),
  bits('3fd55555518f264d'),
  bits('3fd17460a91d4101'),
  bits('3fcd864a93c9db65'),
  bits('3fca7e284a454eef'),
] as const;
const P = [
  bits('3fc555555555553e'),
  bits('bf66c16c16bebd93'),
  bits('3f11566aaf25de2c'),
  bits('bebbbd41c5d26bf1'),
  bits('3e66376972bea4d0'),
] as const;
/** log2(1.5) as a sum of two doubles. */
const LOG2_OF_1_5 = [bits('3fe2b80340000000'), bits('3e4cfdeb43cfd006')] as const;
/** ln 2 as one double. */
const LN2 = bits('3fe62e42fefa39ef');
/** ln 2 as the sum of a double with few digits and a small double. */
const LN2_PARTS = [bits('3fe62e4300000000'), bits('be205c610ca86c39')] as const;
/** 2 / (3 × ln 2) as one double. */
const CP = bits('3feec709dc3a03fd');
/** 2 / (3 × ln 2) as a sum of two doubles. */
const CP_PARTS = [bits('3feec709e0000000'), bits('be3e2fe0145b01f5')] as const;
/** 1 / ln 2 as one double. */
const INV_LN2 = bits('3ff71547652b82fe');
/** 1 / ln 2 as a sum of two doubles. */
const INV_LN2_PARTS = [bits('3ff7154760000000'), bits('3e54ae0bf85ddf44')] as const;
/**
 * Added to the tail of an exponent near 1024, to decide if the power becomes infinity. The value is −(1024 −
 * log2(overflow + half a unit in the last place)).
 */
const OVERFLOW_TAIL = 8.008566259537294e-17;
const TWO_53 = 2 ** 53;

/**
 * Returns base to the power of the exponent. First handles the special cases (`specialPower`), then the exponents −1, 2
 * and 0.5, which need only one operation. Reference: StrictMathWrapper.pow.
 */
export function strictPow(base: number, exponent: number): number {
  const special = specialPower(base, exponent);
  if (special !== undefined) return special;
  if (exponent === -1) return 1 / base;
  if (exponent === 2) return base * base;
  if (exponent === 0.5 && base >= 0) return Math.sqrt(base);
  const isNegative = base < 0 && Math.abs(exponent % 2) === 1;
  const magnitude = powerOf(Math.abs(base), exponent);
  return isNegative ? -magnitude : magnitude;
}

function powerOf(base: number, exponent: number): number {
  const size = Math.abs(exponent);
  if (size > 2 ** 31) {
    const edge = highWord(base);
    const grows = exponent > 0;
    const isBelow = size > 2 ** 64 ? edge <= 0x3fefffff : edge < 0x3fefffff;
    if (isBelow) return grows ? 0 : Number.POSITIVE_INFINITY;
    if (size > 2 ** 64 || edge > 0x3ff00000) return grows ? Number.POSITIVE_INFINITY : 0;
  }
  const [log, logTail] = size > 2 ** 31 ? logNearOne(base) : logTwo(base);
  const head = withoutLow(exponent);
  return powerOfTwo(head * log, (exponent - head) * log + exponent * logTail);
}

/** Returns log2 of a base within 2^-20 of 1, as a sum of two doubles. */
function logNearOne(base: number): readonly [number, number] {
  const t = base - 1;
  const w = t * t * (0.5 - t * (0.3333333333333333 - t * 0.25));
  const u = INV_LN2_PARTS[0] * t;
  const v = t * INV_LN2_PARTS[1] - w * INV_LN2;
  const log = withoutLow(u + v);
  return [log, v - (log - u)];
}

/** Returns log2 of a positive number as a sum of two doubles: a head with 32 bits, and a tail. */
function logTwo(base: number): readonly [number, number] {
  let x = base;
  let twos = 0;
  if (highWord(x) < 0x00100000) {
    x *= TWO_53;
    twos = -53;
  }
  twos += (highWord(x) >> 20) - 0x3ff;
  const fraction = highWord(x) & 0x000fffff;
  // Reduces the base to a value near 1 or near 1.5, whichever is closer, for the polynomial.
  const isNearHigh = fraction > 0x3988e && fraction < 0xbb67a;
  const isNearTwo = fraction >= 0xbb67a;
  const high = (fraction | 0x3ff00000) - (isNearTwo ? 0x00100000 : 0);
  if (isNearTwo) twos += 1;
  x = withHigh(x, high);
  const middle = isNearHigh ? 1.5 : 1;
  const u = x - middle;
  const v = 1 / (x + middle);
  const s = u * v;
  const sHigh = withoutLow(s);
  const sumHigh = fromWords(((high >> 1) | 0x20000000) + 0x00080000 + (isNearHigh ? 1 << 18 : 0), 0);
  const sumLow = x - (sumHigh - middle);
  const sLow = v * (u - sHigh * sumHigh - sHigh * sumLow);
  const s2 = s * s;
  const r = s2 * s2 * (L[0] + s2 * (L[1] + s2 * (L[2] + s2 * (L[3] + s2 * (L[4] + s2 * L[5]))))) + sLow * (sHigh + s);
  const square = sHigh * sHigh;
  const tHigh = withoutLow(3 + square + r);
  const tLow = r - (tHigh - 3 - square);
  const product = sHigh * tHigh;
  const rest = sLow * tHigh + tLow * s;
  const pHigh = withoutLow(product + rest);
  const pLow = rest - (pHigh - product);
  const zHigh = CP_PARTS[0] * pHigh;
  const zLow = CP_PARTS[1] * pHigh + pLow * CP + (isNearHigh ? LOG2_OF_1_5[1] : 0);
  const offset = isNearHigh ? LOG2_OF_1_5[0] : 0;
  const log = withoutLow(zHigh + zLow + offset + twos);
  return [log, zLow - (log - twos - offset - zHigh)];
}

/** Returns 2 to the power of head + tail. */
function powerOfTwo(headGiven: number, tail: number): number {
  let head = headGiven;
  const sum = tail + head;
  const high = highWord(sum);
  const size = high & 0x7fffffff;
  if (sum >= 1024 && (sum > 1024 || tail + OVERFLOW_TAIL > sum - head)) return Number.POSITIVE_INFINITY;
  if (sum <= -1075 && (sum < -1075 || tail <= sum - head)) return 0;
  let twos = 0;
  if (size > 0x3fe00000) {
    const rounded = (high + (0x00100000 >> ((size >> 20) - 0x3ff + 1))) | 0;
    const exponent = ((rounded & 0x7fffffff) >> 20) - 0x3ff;
    head -= fromWords(rounded & ~(0x000fffff >> exponent), 0);
    twos = ((rounded & 0x000fffff) | 0x00100000) >> (20 - exponent);
    if (high < 0) twos = -twos;
  }
  const t = withoutLow(tail + head);
  const u = t * LN2_PARTS[0];
  const v = (tail - (t - head)) * LN2 + t * LN2_PARTS[1];
  const z = u + v;
  const w = v - (z - u);
  const z2 = z * z;
  const t1 = z - z2 * (P[0] + z2 * (P[1] + z2 * (P[2] + z2 * (P[3] + z2 * P[4]))));
  const r = (z * t1) / (t1 - 2) - (w + z * w);
  return scaled(1 - (r - z), twos);
}

/** Returns value × 2^twos. A subnormal result is rounded only once. */
function scaled(value: number, twos: number): number {
  const high = highWord(value) + twos * 0x00100000;
  if (high >> 20 > 0) return withHigh(value, high | 0);
  // Only the last product rounds. The others are exact.
  return value * 2 ** (twos + 54) * 2 ** -54;
}

function highWord(value: number): number {
  scratch[0] = value;
  return itemAt(words, 1);
}

function withHigh(value: number, high: number): number {
  scratch[0] = value;
  words[1] = high;
  return scratch[0];
}

/** Returns the value with the lower half of its bits set to 0. */
function withoutLow(value: number): number {
  scratch[0] = value;
  words[0] = 0;
  return scratch[0];
}

function fromWords(high: number, low: number): number {
  words[1] = high;
  words[0] = low;
  return itemAt(scratch, 0);
}

function bits(hex: string): number {
  return Buffer.from(hex, 'hex').readDoubleBE();
}

const scratch = new Float64Array(1);
/** View of the two halves of `scratch`. The low half is first, because this code is for little-endian machines. */
const words = new Int32Array(scratch.buffer);
