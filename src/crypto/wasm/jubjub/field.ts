import { get, I32, I64, load, op, set, storeAt, type WasmFunction } from '../assembler.js';
import { inverse } from '../inverse.js';
import { FIELD_BYTES, LIMBS } from '../limbs.js';
import { writeBytes } from '../number-bytes.js';
import { type CompactPart, minus, type Part, plus, sums, sumsOfProducts } from '../signed-limbs.js';

/** Prime p of the coordinate field. It is also the prime of the scalar field of BLS12-381. */
export const JUBJUB_P = 0x73ed_a753_299d_7d48_3339_d808_09a1_d805_53bd_a402_fffe_5bfe_ffff_ffff_0000_0001n;
/**
 * Montgomery factor 2^261 modulo p. A field element x is stored as 2^261 × x, with the limbs of `signed-limbs.ts`.
 * Results of products are between −1.25 × p and 0.25 × p.
 */
export const MONTGOMERY = (1n << 261n) % JUBJUB_P;

/** Indexes of the field functions, for calls inside the module. */
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
 * Creates the field functions. Their parameters are addresses; the first is the address of the result. The result may
 * overwrite an operand. Point additions call these functions, so that their own code is small and fits into the
 * processor's cache of decoded instructions.
 */
export const jubjubFieldFunctions = (): readonly WasmFunction[] => [
  product('multiply', (of) => [wide(of(1)), wide(of(2))]),
  // The limbs of the second factor are stored in 32-bit words.
  product('multiplyKnown', (of, known) => [wide(of(1)), known(2)]),
  sumAndDifference,
  sums('subtract', 2, (of) => [minus(of(1), of(2))]),
  sums('add', 2, (of) => [plus(of(1), of(2))]),
  inverse(JUBJUB_P),
  writeBytes(JUBJUB_P),
];

/**
 * WebAssembly function `sumAndDifference(to, a, b)`. Writes a + b, then a − b. Does not carry the limbs, so both
 * results may be used only as factors of a product.
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

/**
 * Returns a factor that is marked as size 2 (see `signed-limbs.ts`), because `sumAndDifference` does not carry the
 * limbs of its results.
 */
function wide({ limbs }: Factor): Factor {
  return { limbs, size: 2 };
}
