/** Order of the group of BN254. */
export const BN254_ORDER = 0x3064_4e72_e131_a029_b850_45b6_8181_585d_2833_e848_79b9_7091_43e1_f593_f000_0001n;
/** Seed u, the parameter from which the curve is derived. */
export const BN254_U = 0x44e9_92b4_4a69_09f1n;
/** A cube root of 1 in the field: (BETA x, y) is LAMBDA (x, y), where LAMBDA = 36 u³ + 18 u² + 6 u + 1. */
export const BETA = 18n * BN254_U ** 3n + 18n * BN254_U ** 2n + 9n * BN254_U + 1n;
/**
 * Numbers of two lattice vectors (a, b): (LONG, SHORT) and (SHORT, -LESS). For both, the order divides a + b LAMBDA.
 */
const SHORT = 2n * BN254_U + 1n;
const LONG = 6n * BN254_U ** 2n + 4n * BN254_U + 1n;
const LESS = 6n * BN254_U ** 2n + 2n * BN254_U;

/** Window size of the digits. Digits are odd, so a table contains 1, 3, 5 and 7 times a point. */
const WINDOW_BITS = 4;
export const TABLE_POINTS = 1 << (WINDOW_BITS - 2);
/** Number of digits of a half scalar: one per bit (127), and a carry out of the last digit. */
export const DIGITS = 129;

/**
 * Splits a scalar into a and b of at most 127 bits, with a + b LAMBDA equal to the scalar modulo the order (GLV). The
 * split subtracts the lattice vector nearest to (scalar, 0), so the rest is at most half as long as the basis vectors.
 */
export function halvesOf(scalar: bigint): readonly [a: bigint, b: bigint] {
  const long = nearest(scalar * LESS);
  const short = nearest(scalar * SHORT);
  return [scalar - long * LONG - short * SHORT, short * LESS - long * SHORT];
}

function nearest(multiple: bigint): bigint {
  return (2n * multiple + BN254_ORDER) / (2n * BN254_ORDER);
}

/**
 * Returns digits that are 0 or odd (-7 to 7), lowest first. Of four consecutive digits, at least three are 0.
 * @param value at most 127 bits
 */
export function scalarDigits(value: bigint): Int8Array {
  const digits = new Int8Array(DIGITS);
  const magnitude = value < 0n ? -value : value;
  const sign = value < 0n ? -1 : 1;
  const words = Uint32Array.from({ length: 5 }, (_, at) => Number((magnitude >> BigInt(32 * at)) & 0xffff_ffffn));
  const bits = (at: number, count: number): number => {
    const shift = at & 31;
    const low = (words[at >> 5] ?? 0) >>> shift;
    const high = shift === 0 ? 0 : (words[(at >> 5) + 1] ?? 0) << (32 - shift);
    return (low | high) & ((1 << count) - 1);
  };
  let carry = 0;
  for (let at = 0; at < DIGITS; ) {
    if (bits(at, 1) === carry) {
      at++;
      continue;
    }
    const window = bits(at, WINDOW_BITS) + carry;
    carry = window >> (WINDOW_BITS - 1);
    digits[at] = sign * (window - (carry << WINDOW_BITS));
    at += WINDOW_BITS;
  }
  return digits;
}
