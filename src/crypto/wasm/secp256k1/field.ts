import { type Code, get, i64, op, set } from '../assembler.js';
import { above, eachLimb, LIMB_BITS, LIMBS, type Limbs, limbOf, locals, sumOf, within } from '../limbs.js';

/**
 * Prime p = 2^256 − 2^32 − 977.
 *
 * A number (a field element of nine limbs) has *size* n if the absolute values of its limbs are at most about n ×
 * 2^29. Functions of this module write numbers of size 1. The size of a product is the product of the sizes of its
 * two factors. In a sum of products, the sizes must add up to at most 3. The difference of two numbers of size 1 has
 * size 1 if both numbers are positive, otherwise size 2.
 */
export const SECP256K1_P = (1n << 256n) - (1n << 32n) - 977n;
/** Constant of the reduction: 2^256 is 2^32 + 977 modulo p. */
const FOLD_256 = 977n;
/** Number of bits of the ninth limb, for a number below 2^256. */
const TOP_BITS = 24n;
const TOP_MASK = (1n << TOP_BITS) - 1n;
/**
 * Folding factor 31264: 2^261 is 2^37 + 31264 modulo p. 2^37 is 256 × 2^29. A limb above the ninth is therefore
 * multiplied by 31264 and added nine positions below. It is also multiplied by 256 and added eight positions below.
 */
const FOLD = FOLD_256 << 5n;
const NEXT_BITS = 8n;

/** Locals that a reduction uses. */
interface ReductionLocals {
  /** Index of the first of nine locals for limbs 9 to 17 of the sum. */
  readonly digits: number;
  /** Index of the first of nine locals for the result. */
  readonly result: number;
  /** Index of the local for the carry. */
  readonly carry: number;
}

/**
 * Returns code that reduces a sum of products to a number of size 1.
 * @param columns returns the terms of column c (0 to 16), whose weight is 2^(29 × c)
 */
export function reduce(columns: (column: number) => readonly Code[], { digits, result, carry }: ReductionLocals): Code {
  const top = 2 * LIMBS - 1;
  const digit = (at: number): number => digits + at - LIMBS;
  const code: Code[] = [];
  for (let at = LIMBS; at < top; at++) {
    code.push(
      set(carry, sumOf(...columns(at), ...(at === LIMBS ? [] : [above(carry)]))),
      set(digit(at), within(carry)),
    );
  }
  code.push(set(digit(top), above(carry)));
  for (let at = 0; at < LIMBS; at++) {
    const folded = op('mul64', get(digit(at + LIMBS)), i64(FOLD));
    const next = at === 0 ? [] : [op('shl64', get(digit(at + LIMBS - 1)), i64(NEXT_BITS)), above(carry)];
    code.push(set(carry, sumOf(...columns(at), folded, ...next)), set(result + at, within(carry)));
  }
  code.push(set(carry, sumOf(above(carry), op('shl64', get(digit(top)), i64(NEXT_BITS)))));
  code.push(fold(result, carry, digits));
  return code;
}

/**
 * Returns code that multiplies the part above the ninth limb by 2^261 modulo p, which is 2^37 + 31264, and adds the
 * product to the lowest three limbs.
 */
export function fold(result: number, over: number, spare: number): Code {
  return [
    set(spare, sumOf(get(result), op('mul64', get(over), i64(FOLD)))),
    set(result, within(spare)),
    set(spare, sumOf(get(result + 1), op('shl64', get(over), i64(NEXT_BITS)), above(spare))),
    set(result + 1, within(spare)),
    set(result + 2, sumOf(get(result + 2), above(spare))),
  ];
}

/** Returns code that carries through nine limbs. The part above the ninth limb stays in `carry`. */
export function carryThrough(result: number, carry: number, limb: Limbs): Code {
  return eachLimb((at) => [
    set(carry, at === 0 ? limb(0) : sumOf(limb(at), above(carry))),
    set(result + at, within(carry)),
  ]);
}

/**
 * Returns code that reduces a number of size 1 (see `SECP256K1_P`) to its canonical form, which is below p.
 * @param spare first of ten spare locals: nine limbs and a carry
 */
export function toCanonical(result: number, spare: number): Code {
  const carry = spare + LIMBS;
  const top = result + LIMBS - 1;
  // A negative number of size 1 is above −64 × p. The sum of the number and 64 × p is therefore positive.
  const positive: Limbs = (at) => sumOf(get(result + at), i64(limbOf(SECP256K1_P << 6n, at)));
  const foldTop = (first: Limbs): Code => [
    carryThrough(result, carry, first),
    // Adds the carry of the ninth limb back to the ninth limb, so that all bits above 2^256 are in one word.
    set(top, sumOf(get(top), op('shl64', above(carry), i64(BigInt(LIMB_BITS))))),
    set(carry, op('shrS64', get(top), i64(TOP_BITS))),
    set(top, op('and64', get(top), i64(TOP_MASK))),
    set(result, sumOf(get(result), op('mul64', get(carry), i64(FOLD_256)))),
    set(result + 1, sumOf(get(result + 1), op('shl64', get(carry), i64(3n)))),
  ];
  const overP: Limbs = (at) =>
    at === 0 ? sumOf(get(result), i64(FOLD_256)) : at === 1 ? sumOf(get(result + 1), i64(8n)) : get(result + at);
  return [
    foldTop(positive),
    foldTop(locals(result)),
    carryThrough(result, carry, locals(result)),
    carryThrough(spare, carry, overP),
    // If the number plus 2^256 − p is at least 2^256, the number is not below p. In this case, the lower 256 bits of
    // the sum are the reduced number.
    set(carry, op('shrS64', get(spare + LIMBS - 1), i64(TOP_BITS))),
    set(spare + LIMBS - 1, op('and64', get(spare + LIMBS - 1), i64(TOP_MASK))),
    eachLimb((at) => set(result + at, choose(get(spare + at), get(result + at), carry))),
  ];
}

/** Returns code that selects `a` if the local is 1, `b` if the local is 0. */
function choose(a: Code, b: Code, local: number): Code {
  return sumOf(b, op('mul64', get(local), op('sub64', a, b)));
}
