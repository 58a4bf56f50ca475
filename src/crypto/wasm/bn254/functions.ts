import { onFirstUse } from '../../../primitives/on-first-use.js';
import { type Code, callFunction, get, I32, i32, op, unary, type WasmFunction } from '../assembler.js';
import { inverse } from '../inverse.js';
import { FIELD_BYTES, inMemory, LIMBS } from '../limbs.js';
import { readBytes, writeBytes } from '../number-bytes.js';
import { minus, type Part, sums, sumsOfProducts, type Terms, times } from '../signed-limbs.js';

/** Prime of the coordinate field. */
export const BN254_P = 0x3064_4e72_e131_a029_b850_45b6_8181_585d_9781_6a91_6871_ca8d_3c20_8c16_d87c_fd47n;

/** Number of field elements at the start of the memory, used as workspace for point additions. */
export const BN254_MEMORY_END = 3;
const [A, B, C] = [0, 1, 2].map((number) => i32(number * FIELD_BYTES)) as [Code, Code, Code];

/** Size of a point x / z², y / z³ with coordinates x, y, z, in bytes. */
export const BN254_POINT_BYTES = 3 * FIELD_BYTES;

const product = (name: string, operands: number, make: (part: Part) => Terms): WasmFunction =>
  sumsOfProducts(BN254_P, name, operands, (part) => [make(part)]);

/** WebAssembly function `isZero(a)`. Returns 1 if a is 0, else 0. a must be the result of a product without addends. */
const isZero: WasmFunction = {
  name: 'isZero',
  params: [I32],
  results: [I32],
  locals: [],
  body: unary(
    'eqz64',
    Array.from({ length: LIMBS }, (_, at) => inMemory(get(0))(at)).reduce((or, limb) => op('or64', or, limb)),
  ),
};

/** Field functions. Parameters are addresses, that of the result first. The result may overwrite an operand. */
const fieldFunctions = onFirstUse(() => [
  /** Computes a b. */
  product('multiply', 2, (of) => ({ products: [[of(1), of(2)]] })),
  /** Computes 2 a b. */
  product('multiplyTwice', 2, (of) => ({ products: [[times(2, of(1)), of(2)]] })),
  /** Computes 4 a b. */
  product('multiplyFourTimes', 2, (of) => ({ products: [[times(4, of(1)), of(2)]] })),
  /** Computes a². */
  product('square', 1, (of) => ({ square: of(1) })),
  /** Computes 3 a². */
  product('squareThreeTimes', 1, (of) => ({ products: [[times(3, of(1)), of(1)]] })),
  /** Computes a b - c. */
  product('productLess', 3, (of) => ({ products: [[of(1), of(2)]], addends: [times(-1, of(3))] })),
  /** Computes a² - b - 2 c. */
  product('squareLess', 3, (of) => ({ square: of(1), addends: [times(-1, of(2)), times(-2, of(3))] })),
  /** Computes a² - b - c. */
  product('squareLessBoth', 3, (of) => ({ square: of(1), addends: [times(-1, of(2)), times(-1, of(3))] })),
  /** Computes a (b - c) - d. */
  product('timesDifferenceLess', 4, (of) => ({
    products: [[of(1), minus(of(2), of(3))]],
    addends: [times(-1, of(4))],
  })),
  /** Computes a (b - c) - d e. */
  product('timesDifferenceLessProduct', 5, (of) => ({
    products: [
      [of(1), minus(of(2), of(3))],
      [times(-1, of(4)), of(5)],
    ],
  })),
  /** Computes a (b - c) - 8 d². */
  product('timesDifferenceLessSquare', 4, (of) => ({
    products: [
      [of(1), minus(of(2), of(3))],
      [times(-8, of(4)), of(4)],
    ],
  })),
  /** Computes a² - b c - d e. */
  product('squareLessProducts', 5, (of) => ({
    square: of(1),
    products: [
      [times(-1, of(2)), of(3)],
      [times(-1, of(4)), of(5)],
    ],
  })),
  sums('subtract', 2, (of) => [minus(of(1), of(2))]),
  sums('twice', 1, (of) => [times(2, of(1))]),
  sums('negate', 1, (of) => [times(-1, of(1))]),
  inverse(BN254_P),
  readBytes(BN254_P),
  writeBytes(BN254_P),
  isZero,
]);

const [x, y, z] = [0, 1, 2].map((number) => part(get(0), number)) as [Code, Code, Code];

function part(point: Code, number: number): Code {
  return op('add', point, i32(number * FIELD_BYTES));
}

function run(name: string, ...operands: Code[]): Code {
  const index = fieldFunctions().findIndex((one) => one.name === name);
  if (index < 0) throw new RangeError(`unknown function ${name}`);
  return callFunction(index, ...operands);
}

/** WebAssembly function `double(point)`. Doubles a point in place. */
const double = (): WasmFunction => ({
  name: 'double',
  params: [I32],
  results: [],
  locals: [],
  body: [
    run('multiplyTwice', z, y, z),
    run('square', A, y),
    run('multiplyFourTimes', B, x, A),
    run('squareThreeTimes', C, x),
    run('squareLessBoth', x, C, B, B),
    run('timesDifferenceLessSquare', y, C, B, x, A),
  ],
});

/**
 * WebAssembly function `add(point, x, y)`. Adds a point with z = 1 in place. If both points are equal or negatives of
 * each other, z becomes 0 and stays 0.
 */
const add = (): WasmFunction => ({
  name: 'add',
  params: [I32, I32, I32],
  results: [],
  locals: [],
  body: [
    run('square', A, z),
    run('multiply', B, A, z),
    // Compute the differences of x and of y.
    run('productLess', A, get(1), A, x),
    run('productLess', B, get(2), B, y),
    run('multiply', z, z, A),
    run('square', C, A),
    run('multiply', A, A, C),
    run('multiply', C, C, x),
    run('squareLess', x, B, A, C),
    // The result may replace y, because the function reads y before it writes it.
    run('timesDifferenceLessProduct', y, B, C, x, y, A),
  ],
});

export const functions = (): readonly WasmFunction[] => [...fieldFunctions(), double(), add()];
