import { type Code, get, i64, op, set } from './assembler.js';
import { above, LIMB_BITS, LIMB_MASK, LIMBS, type Limbs, limbOf, product, sumOf, within } from './limbs.js';

/** Indexes of the first locals of a product: nine factors of the modulus, nine limbs of the result, one carry. */
interface ProductLocals {
  /** Index of the first of nine locals for the factors of the modulus. */
  readonly factors: number;
  /** Index of the first of nine locals for the limbs of the result. */
  readonly result: number;
  /** Index of the local for the carry. */
  readonly carry: number;
}

/** Number of WebAssembly locals that one Montgomery product needs. */
export const PRODUCT_LOCALS = 2 * LIMBS + 1;

/**
 * Returns code for the Montgomery product a × b / 2^261 modulo an odd n below 2^256. One factor may have size 1 and
 * the other size 2 (see `LIMBS`). The result is between a × b / 2^261 and a × b / 2^261 + n. All its limbs except the
 * highest are positive.
 */
export function montgomeryProduct(modulus: bigint, a: Limbs, b: Limbs, locals: ProductLocals): Code {
  const { factors, result, carry } = locals;
  const limb = (at: number): Code => i64(limbOf(modulus, at));
  const factor = i64(negativeInverse(modulus));
  const code: Code[] = [];
  for (let column = 0; column < 2 * LIMBS - 1; column++) {
    // The factor of a column depends on all terms of the lower columns.
    const known = (at: number) => (at < column ? get(factors + at) : i64(0n));
    const multiples = product(known, limb, column).filter((_, at) => column >= LIMBS || at < column);
    const carried = column === 0 ? [] : [above(carry)];
    code.push(set(carry, sumOf(...product(a, b, column), ...multiples, ...carried)));
    if (column < LIMBS) {
      code.push(
        set(factors + column, op('and64', op('mul64', get(carry), factor), i64(LIMB_MASK))),
        set(carry, sumOf(get(carry), op('mul64', get(factors + column), limb(0)))),
      );
    } else {
      code.push(set(result + column - LIMBS, within(carry)));
    }
  }
  code.push(set(result + LIMBS - 1, above(carry)));
  return code;
}

/** Returns −1 / modulus, modulo 2^bits. */
export function negativeInverse(modulus: bigint, bits = LIMB_BITS): bigint {
  const mask = (1n << BigInt(bits)) - 1n;
  let inverse = 1n;
  for (let known = 1; known < bits; known *= 2) inverse = (inverse * (2n - modulus * inverse)) & mask;
  return mask + 1n - inverse;
}
