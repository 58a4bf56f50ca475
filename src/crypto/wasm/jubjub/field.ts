import { get, I32, I64, load, op, set, storeAt, type WasmFunction } from '../assembler.js';
import { inverse } from '../inverse.js';
import { FIELD_BYTES, LIMBS } from '../limbs.js';
import { writeBytes } from '../number-bytes.js';
import { type CompactPart, minus, type Part, plus, sums, sumsOfProducts } from '../signed-limbs.js';

/** Prime of the coordinate field, which is the scalar field of BLS12-381. */
export const JUBJUB_P = 0x73ed_a753_299d_7d48_3339_d808_09a1_d805_53bd_a402_fffe_5bfe_ffff_ffff_0000_0001n;
/**
 * Montgomery factor: a number x is stored as 2^261 x. Limbs are those of `signed-limbs.ts`. Results of products are
 * between -1.25 p and 0.25 p.
 */
export const MONTGOMERY = (1n << 261n) % JUBJUB_P;

/** Indexes of functions for calls inside the module. */
export const JUBJUB_CALL = {
  multiply: 0,
  multiplyKnown: 1,
  sumAndDifference: 2,
  subtract: 3,
  add: 4,
  inverse: 5,
  writeBytes: 6,
} as const;

/**
 * Field functions. Parameters are addresses, that of the result first. The result may overwrite an operand. There is
 * one function per kind of operation, and not one per formula, so that the code of a point addition is short enough for
 * the processor's cache of decoded instructions.
 */
export const jubjubFieldFunctions = (): readonly WasmFunction[] => [
  product('multiply', (of) => [wide(of(1)), wide(of(2))]),
  // The last factor is stored in 32-bit words.
  product('multiplyKnown', (of, known) => [wide(of(1)), known(2)]),
  sumAndDifference,
  sums('subtract', 2, (of) => [minus(of(1), of(2))]),
  sums('add', 2, (of) => [plus(of(1), of(2))]),
  inverse(JUBJUB_P),
  writeBytes(JUBJUB_P),
];

/**
 * WebAssembly function `sumAndDifference(to, a, b)`. Writes a + b, then a - b. Limbs are not carried, so the results
 * may be used as factors only.
 */
const sumAndDifference: WasmFunction = {
  name: 'sumAndDifference',
  params: [I32, I32, I32],
  results: [],
  locals: [I64, I64],
  body: Array.from({ length: LIMBS }, (_, limb) => [
    set(3, load('i64', get(1), 8 * limb)),
    set(4, load('i64', get(2), 8 * limb)),
    storeAt('i64', get(0), op('add64', get(3), get(4)), 8 * limb),
    storeAt('i64', get(0), op('sub64', get(3), get(4)), FIELD_BYTES + 8 * limb),
  ]),
};

type Factor = ReturnType<Part>;

function product(name: string, make: (of: Part, known: CompactPart) => readonly [Factor, Factor]): WasmFunction {
  return sumsOfProducts(JUBJUB_P, name, 2, (of, known) => [{ products: [make(of, known)] }]);
}

/** Declares the larger size of a factor that `sumAndDifference` wrote. */
function wide({ limbs }: Factor): Factor {
  return { limbs, size: 2 };
}
