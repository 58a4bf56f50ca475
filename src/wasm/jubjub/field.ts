import type { WasmFunction } from '../assembler.js';
import { inverse } from '../inverse.js';
import { writeBytes } from '../number-bytes.js';
import { type CompactPart, minus, type Part, plus, sums, sumsOfProducts } from '../signed-limbs.js';

/** The field of the coordinates: the scalars of BLS12-381. */
export const P = 0x73ed_a753_299d_7d48_3339_d808_09a1_d805_53bd_a402_fffe_5bfe_ffff_ffff_0000_0001n;
/** A number x is kept as 2^261 x (Montgomery): of limbs as those of `signed-limbs.ts`, between -p and p where no sum wrote it. */
export const MONTGOMERY = (1n << 261n) % P;

/** Numbers of the functions in the module, where others of it call them. */
export const CALL = {
  multiply: 0,
  differenceTimes: 1,
  sumTimes: 2,
  differenceTimesDifference: 3,
  differenceTimesSum: 4,
  sumTimesSum: 5,
  subtract: 6,
  add: 7,
  inverse: 8,
  writeBytes: 9,
  multiplyKnown: 10,
  differenceTimesKnown: 11,
  sumTimesKnown: 12,
} as const;

/** Their parameters are addresses, that of the result first; it may be that of an operand. */
export const fieldFunctions = (): readonly WasmFunction[] => [
  product('multiply', 2, (of) => [of(1), of(2)]),
  product('differenceTimes', 3, (of) => [minus(of(1), of(2)), of(3)]),
  product('sumTimes', 3, (of) => [plus(of(1), of(2)), of(3)]),
  product('differenceTimesDifference', 4, (of) => [minus(of(1), of(2)), minus(of(3), of(4))]),
  product('differenceTimesSum', 4, (of) => [minus(of(1), of(2)), plus(of(3), of(4))]),
  product('sumTimesSum', 4, (of) => [plus(of(1), of(2)), plus(of(3), of(4))]),
  sums('subtract', 2, (of) => [minus(of(1), of(2))]),
  sums('add', 2, (of) => [plus(of(1), of(2))]),
  inverse(P),
  writeBytes(P),
  // The last factor is kept in words of 32 bits.
  product('multiplyKnown', 2, (of, known) => [of(1), known(2)]),
  product('differenceTimesKnown', 3, (of, known) => [minus(of(1), of(2)), known(3)]),
  product('sumTimesKnown', 3, (of, known) => [plus(of(1), of(2)), known(3)]),
];

type Factor = ReturnType<Part>;

function product(
  name: string,
  operands: number,
  make: (of: Part, known: CompactPart) => readonly [Factor, Factor],
): WasmFunction {
  return sumsOfProducts(P, name, operands, (of, known) => [{ products: [make(of, known)] }]);
}
