import { type Code, get, i64, op, set } from '../assembler.js';
import { above, eachLimb, LIMB_BITS, LIMBS, type Limbs, limbOf, locals, sumOf, within } from '../limbs.js';

/**
 * Numbers modulo p = 2^256 - 2^32 - 977. The products of the sizes of factors, summed, stay at 3 or below. What a
 * function here writes has size 1 (2^29 and 2^23 at most); the difference of two such numbers has size 1 again where
 * both are positive, else 2.
 */
export const SECP256K1_P = (1n << 256n) - (1n << 32n) - 977n;
/** 2^256 = 2^32 + 977 modulo p. */
const FOLD_256 = 977n;
/** The ninth limb of a number below 2^256. */
const TOP_BITS = 24n;
const TOP_MASK = (1n << TOP_BITS) - 1n;
/**
 * 2^261 = 2^37 + 31264 modulo p: a limb above the ninth counts so often in the one nine below it, and 256 times in the
 * next.
 */
const FOLD = FOLD_256 << 5n;
const NEXT_BITS = 8n;

/** First locals that a reduction works with: nine digits above the ninth limb, its nine limbs, one to carry. */
interface ReductionLocals {
  readonly digits: number;
  readonly result: number;
  readonly carry: number;
}

/** Brings a sum of products to size 1. @param columns its terms of weight 2^(29 column), 0 to 16 */
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

/** Adds to the lowest three limbs what stands above the ninth. */
export function fold(result: number, over: number, spare: number): Code {
  return [
    set(spare, sumOf(get(result), op('mul64', get(over), i64(FOLD)))),
    set(result, within(spare)),
    set(spare, sumOf(get(result + 1), op('shl64', get(over), i64(NEXT_BITS)), above(spare))),
    set(result + 1, within(spare)),
    set(result + 2, sumOf(get(result + 2), above(spare))),
  ];
}

/** Carries through nine limbs; what stands above the ninth stays in `carry`. */
export function carryThrough(result: number, carry: number, limb: Limbs): Code {
  return eachLimb((at) => [
    set(carry, at === 0 ? limb(0) : sumOf(limb(at), above(carry))),
    set(result + at, within(carry)),
  ]);
}

/**
 * Brings nine limbs of size 1 to the number below p that they stand for.
 * @param spare nine locals, and one to carry
 */
export function toCanonical(result: number, spare: number): Code {
  const carry = spare + LIMBS;
  const top = result + LIMBS - 1;
  // 64 p is more than any negative number of size 1.
  const positive: Limbs = (at) => sumOf(get(result + at), i64(limbOf(SECP256K1_P << 6n, at)));
  const foldTop = (first: Limbs): Code => [
    carryThrough(result, carry, first),
    // The ninth limb takes what was carried out of it, so that all above 2^256 is in one place.
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
    // Not below p: 2^256 is reached once 2^256 - p is added, and what stands below it is the number.
    set(carry, op('shrS64', get(spare + LIMBS - 1), i64(TOP_BITS))),
    set(spare + LIMBS - 1, op('and64', get(spare + LIMBS - 1), i64(TOP_MASK))),
    eachLimb((at) => set(result + at, choose(get(spare + at), get(result + at), carry))),
  ];
}

/** `a` where the local is 1, `b` where it is 0. */
function choose(a: Code, b: Code, local: number): Code {
  return sumOf(b, op('mul64', get(local), op('sub64', a, b)));
}
