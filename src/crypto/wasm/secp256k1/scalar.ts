import { get, I32, I64, type WasmFunction } from '../assembler.js';
import { inMemory, LIMBS, locals, setLimbs, storeLimbs } from '../limbs.js';
import { montgomeryProduct, PRODUCT_LOCALS } from '../montgomery.js';

/** Order n of the group of secp256k1. */
export const SECP256K1_ORDER = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n;

/**
 * WebAssembly function `multiplyScalars(to, a, b)`. Computes the Montgomery product a × b / 2^261 modulo the group
 * order n. a × b must be below 2^261 × n. The result is below 2 × n, and its limbs are positive.
 */
export function multiplyScalarsFunction(): WasmFunction {
  const a = 3;
  const b = a + LIMBS;
  const factors = b + LIMBS;
  const result = factors + LIMBS;
  const carry = result + LIMBS;
  return {
    name: 'multiplyScalars',
    params: [I32, I32, I32],
    results: [],
    locals: new Array<number>(2 * LIMBS + PRODUCT_LOCALS).fill(I64),
    body: [
      setLimbs(a, inMemory(get(1))),
      setLimbs(b, inMemory(get(2))),
      montgomeryProduct(SECP256K1_ORDER, locals(a), locals(b), { factors, result, carry }),
      storeLimbs(get(0), locals(result)),
    ],
  };
}
