import { type Code, i32 } from '../assembler.js';
import { FIELD_BYTES } from '../limbs.js';

/**
 * Memory layout in field elements: powers for a root or an inverse, workspace of point additions, constants.
 */
export const POWERS = 0;
export const SCRATCH = 16;
export const SECP256K1_ZERO = 32;
export const SECP256K1_ONE = 33;
export const PRIME = 34;
/** 2^261 modulo the order. */
export const ONE_MONTGOMERY = 35;
/** First element that callers may use. */
export const SECP256K1_MEMORY_END = 40;

export function scratchOffset(number: number): Code {
  return i32(number * FIELD_BYTES);
}

/** Size of a point for either sign: x, y and -y. */
export const SIGNED_POINT_BYTES = 3 * FIELD_BYTES;
/** Size of a sum: x and y. */
export const SECP256K1_POINT_BYTES = 2 * FIELD_BYTES;
/** Size of a pair of points: two 4-byte addresses. Their lowest bit selects -y. */
export const PAIR_BYTES = 8;
