import { type Code, get, I32, I64, i64, op, set, type WasmFunction } from '../assembler.js';
import {
  above,
  inMemory,
  LIMB_BITS,
  LIMB_MASK,
  LIMBS,
  limbOf,
  locals,
  setLimbs,
  storeLimbs,
  sumOf,
  within,
} from './field.js';
import { product } from './sum-of-products.js';

/** Order of the group. */
export const ORDER = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n;

/** -1 / n modulo 2^29. */
function negativeInverse(): bigint {
  let inverse = 1n;
  for (let bits = 1; bits < LIMB_BITS; bits *= 2) inverse = (inverse * (2n - ORDER * inverse)) & LIMB_MASK;
  return LIMB_MASK + 1n - inverse;
}

/**
 * (to, a, b): a b / 2^261 modulo the order n, below 2 n and with positive limbs, of factors whose product is below 2^261 n (Montgomery).
 */
export function multiplyScalarsFunction(): WasmFunction {
  const a = 3;
  const b = a + LIMBS;
  const factors = b + LIMBS;
  const result = factors + LIMBS;
  const carry = result + LIMBS;
  const order = (at: number): Code => i64(limbOf(ORDER, at));
  const body: Code[] = [setLimbs(a, inMemory(get(1))), setLimbs(b, inMemory(get(2)))];
  const carried = (column: number): Code[] => (column === 0 ? [] : [above(carry)]);
  for (let column = 0; column < 2 * LIMBS - 1; column++) {
    // The factor of a column is known once all that is lower has been added.
    const known = (at: number) => (at < column ? get(factors + at) : i64(0n));
    const multiples = product(known, order, column).filter((_, at) => column >= LIMBS || at < column);
    body.push(set(carry, sumOf(...product(locals(a), locals(b), column), ...multiples, ...carried(column))));
    if (column < LIMBS) {
      body.push(
        set(factors + column, op('and64', op('mul64', get(carry), i64(negativeInverse())), i64(LIMB_MASK))),
        set(carry, sumOf(get(carry), op('mul64', get(factors + column), order(0)))),
      );
    } else {
      body.push(set(result + column - LIMBS, within(carry)));
    }
  }
  body.push(set(result + LIMBS - 1, above(carry)));
  return {
    name: 'multiplyScalars',
    params: [I32, I32, I32],
    results: [],
    locals: new Array<number>(carry - 2).fill(I64),
    body: [body, storeLimbs(get(0), locals(result))],
  };
}
