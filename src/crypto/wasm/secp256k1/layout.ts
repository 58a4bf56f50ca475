import { type Code, i32 } from '../assembler.js';
import { FIELD_BYTES } from '../limbs.js';

/**
 * Places of one number each at the begin of the memory: powers of a root or an inverse, what points are added with,
 * constants.
 */
export const POWERS = 0;
export const SCRATCH = 16;
export const SECP256K1_ZERO = 32;
export const SECP256K1_ONE = 33;
export const PRIME = 34;
/** 2^261 modulo the order. */
export const ONE_MONTGOMERY = 35;
/** Where the places of the caller begin. */
export const SECP256K1_MEMORY_END = 40;

export function scratchOffset(number: number): Code {
  return i32(number * FIELD_BYTES);
}

/** A point that may be taken with either sign: x, y and -y. */
export const SIGNED_POINT_BYTES = 3 * FIELD_BYTES;
/** A sum: x and y. */
export const SECP256K1_POINT_BYTES = 2 * FIELD_BYTES;
/** A pair of points to add: two addresses, of 4 bytes, the lowest bit of which says that the point is taken with -y. */
export const PAIR_BYTES = 8;
