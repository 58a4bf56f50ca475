import { type Code, i32 } from '../assembler.js';
import { FIELD_BYTES } from '../limbs.js';

/** Index of the first field element of the workspace for square roots and inverses. */
export const POWERS = 0;
/** Index of the first field element of the workspace for point additions. */
export const SCRATCH = 16;
/** Index of the constant 0. */
export const SECP256K1_ZERO = 32;
/** Index of the constant 1. */
export const SECP256K1_ONE = 33;
/** Index of the constant p. */
export const PRIME = 34;
/** Index of the constant 2^261 modulo the group order, which is 1 in Montgomery form. */
export const ONE_MONTGOMERY = 35;
/** Index of the first field element that callers may use. */
export const SECP256K1_MEMORY_END = 40;

export function scratchOffset(number: number): Code {
  return i32(number * FIELD_BYTES);
}

/** Size in bytes of a point that can be added or subtracted: x, y and −y. */
export const SIGNED_POINT_BYTES = 3 * FIELD_BYTES;
/** Size in bytes of a sum of points: x and y. */
export const SECP256K1_POINT_BYTES = 2 * FIELD_BYTES;
/**
 * Size in bytes of a pair of points: two 4-byte addresses. If the lowest bit of an address is set, −y is used instead
 * of y.
 */
export const PAIR_BYTES = 8;
