import {
  brIf,
  type Code,
  callFunction,
  get,
  I32,
  I64,
  i32,
  i64,
  loop,
  op,
  set,
  tee,
  unary,
  type WasmFunction,
} from '../assembler.js';
import { above, inMemory, LIMBS, less, locals, negative, setLimbs, square, storeLimbs, sumOf } from '../limbs.js';
import { carryThrough, fold, reduce, toCanonical } from './field.js';
import { POWERS, scratchOffset } from './layout.js';
import { sumOfProducts } from './sum-of-products.js';

/** Indexes of the field functions, for calls inside the module. */
export const SECP256K1_CALL = {
  multiply: 0,
  differenceTimes: 1,
  squareLess: 2,
  differenceTimesLess: 3,
  cross: 4,
  twoProducts: 5,
  plusTimes: 6,
  squareTimes: 7,
  canonical: 8,
  root: 9,
  inverse: 10,
} as const;

/**
 * Creates the field functions. Their parameters are addresses; the first is the address of the result. The result may
 * overwrite an operand.
 */
export const secp256k1FieldFunctions = (): readonly WasmFunction[] => [
  multiply,
  differenceTimes,
  squareLess,
  differenceTimesLess,
  cross,
  twoProducts,
  plusTimes,
  squareTimes,
  canonical,
  root,
  inverse,
];

/** WebAssembly function `multiply(to, a, b)`. Computes a × b. */
const multiply = sumOfProducts('multiply', 2, (of) => ({ products: [[of(1), of(2)]] }));

/** WebAssembly function `differenceTimes(to, a, b, c)`. Computes (a − b) × c. */
const differenceTimes = sumOfProducts('differenceTimes', 3, (of) => ({ products: [[less(of(1), of(2)), of(3)]] }));

/** WebAssembly function `squareLess(to, a, b, c)`. Computes a² − b − c. */
const squareLess = sumOfProducts('squareLess', 3, (of) => ({
  squareOf: of(1),
  addends: [negative(of(2)), negative(of(3))],
}));

/** WebAssembly function `differenceTimesLess(to, a, b, c, d)`. Computes (a − b) × c − d. */
const differenceTimesLess = sumOfProducts('differenceTimesLess', 4, (of) => ({
  products: [[less(of(1), of(2)), of(3)]],
  addends: [negative(of(4))],
}));

/**
 * WebAssembly function `cross(to, a, b, c, d, ac, bd)`. Computes a × d + b × c. `ac` and `bd` are the products a × c
 * and b × d, so one multiplication suffices: the result is ac + bd + (a − b) × (d − c).
 */
const cross = sumOfProducts('cross', 6, (of) => ({
  products: [[less(of(1), of(2)), less(of(4), of(3))]],
  addends: [of(5), of(6)],
}));

/** WebAssembly function `twoProducts(to, a, b, c, d)`. Computes a × b + c × d. */
const twoProducts = sumOfProducts('twoProducts', 4, (of) => ({
  products: [
    [of(1), of(2)],
    [of(3), of(4)],
  ],
}));

/**
 * WebAssembly function `plusTimes(to, a, b, times)`. Computes a + times × b. `times` is a 64-bit integer between −2^20
 * and 2^20, not an address.
 */
const plusTimes: WasmFunction = {
  name: 'plusTimes',
  params: [I32, I32, I32, I64],
  results: [],
  locals: new Array<number>(LIMBS + 2).fill(I64),
  body: [
    carryThrough(4, 13, (at) => sumOf(inMemory(get(1))(at), op('mul64', get(3), inMemory(get(2))(at)))),
    set(13, above(13)),
    fold(4, 13, 14),
    storeLimbs(get(0), locals(4)),
  ],
};

/** WebAssembly function `squareTimes(to, a, times)`. Computes a to the power 2^times. `times` is at least 1. */
const squareTimes: WasmFunction = {
  name: 'squareTimes',
  params: [I32, I32, I32],
  results: [],
  locals: new Array<number>(4 * LIMBS + 1).fill(I64),
  body: [
    setLimbs(3, inMemory(get(1))),
    loop(
      setLimbs(12, (at) => op('shl64', get(3 + at), i64(1n))),
      reduce((column) => square(locals(3), locals(12), column), { digits: 21, result: 30, carry: 39 }),
      setLimbs(3, locals(30)),
      brIf(0, tee(2, op('sub', get(2), i32(1)))),
    ),
    storeLimbs(get(0), locals(3)),
  ],
};

/**
 * WebAssembly function `canonical(a)`. Reduces a in place to its canonical form below p. Returns 1 if the reduced
 * number is 0, else 0.
 */
const canonical: WasmFunction = {
  name: 'canonical',
  params: [I32],
  results: [I32],
  locals: new Array<number>(2 * LIMBS + 1).fill(I64),
  body: [
    setLimbs(1, inMemory(get(0))),
    toCanonical(1, 10),
    storeLimbs(get(0), locals(1)),
    unary(
      'eqz64',
      Array.from({ length: LIMBS }, (_, at) => get(1 + at)).reduce((or, limb) => op('or64', or, limb)),
    ),
  ],
};

/**
 * Step in the computation of powers of a. Power n is a^(2^n − 1); for example, power 1 is a. The step squares power
 * `from` repeatedly, `squarings` times. It then multiplies the result by power `times`, and stores the product as
 * power `to`.
 */
interface Step {
  readonly to: number;
  readonly from: number;
  readonly squarings: number;
  readonly times: number;
}

const steps = (rows: readonly (readonly [number, number, number, number])[]): readonly Step[] =>
  rows.map(([to, from, squarings, times]) => ({ to, from, squarings, times }));

/** Common first steps of both powers. In binary, (p + 1) / 4 and p − 2 start with 223 ones. */
const ONES = steps([
  [2, 1, 1, 1],
  [3, 2, 1, 1],
  [6, 3, 3, 3],
  [9, 6, 3, 3],
  [11, 9, 2, 2],
  [22, 11, 11, 11],
  [44, 22, 22, 22],
  [88, 44, 44, 44],
  [176, 88, 88, 88],
  [220, 176, 44, 44],
  [223, 220, 3, 3],
]);
const PLACES: readonly number[] = ONES.map(({ to }) => to);

/**
 * Creates the WebAssembly function `name(to, a)`, which writes a^e to `to`. In binary, the exponent e has 223 ones,
 * then the bits that the steps of `tail` append, then `squarings` zeros. The function uses a fixed workspace.
 */
function power(name: string, tail: readonly Step[], squarings = 0): WasmFunction {
  const offsetOf = (ones: number): Code => (ones === 1 ? get(1) : scratchOffset(POWERS + 1 + PLACES.indexOf(ones)));
  const body = [...ONES, ...tail].map((step) => [
    callFunction(SECP256K1_CALL.squareTimes, scratchOffset(POWERS), offsetOf(step.from), i32(step.squarings)),
    callFunction(SECP256K1_CALL.multiply, offsetOf(step.to), scratchOffset(POWERS), offsetOf(step.times)),
  ]);
  const last =
    squarings > 0
      ? callFunction(SECP256K1_CALL.squareTimes, get(0), offsetOf(223), i32(squarings))
      : callFunction(SECP256K1_CALL.plusTimes, get(0), offsetOf(223), offsetOf(223), i64(0n));
  return { name, params: [I32, I32], results: [], locals: [], body: [body, last] };
}

/** WebAssembly function `root(to, a)`. Computes a^((p + 1) / 4). This is the square root of a if one exists. */
const root = power(
  'root',
  steps([
    [223, 223, 23, 22],
    [223, 223, 6, 2],
  ]),
  2,
);

/** WebAssembly function `inverse(to, a)`. Computes a^(p − 2), which is 1 / a. For a = 0, the result is 0. */
const inverse = power(
  'inverse',
  steps([
    [223, 223, 23, 22],
    [223, 223, 5, 1],
    [223, 223, 3, 2],
    [223, 223, 2, 1],
  ]),
);
