import {
  brIf,
  type Code,
  callFunction,
  get,
  I32,
  i32,
  i64,
  load,
  loop,
  op,
  set,
  storeAt,
  type WasmFunction,
  when,
} from '../assembler.js';
import { FIELD_BYTES, inMemory, sumOf } from '../limbs.js';
import { SECP256K1_CALL } from './field-functions.js';
import { PAIR_BYTES, PRIME, SCRATCH, SECP256K1_POINT_BYTES, SECP256K1_ZERO, scratchOffset } from './layout.js';

const scratch = (number: number): Code => scratchOffset(SCRATCH + number);
/** Returns code for the address of the field element that is `count` elements after `address`. */
const behind = (address: Code, count = 1): Code => op('add', address, i32(count * FIELD_BYTES));
const RETURN: Code = [0x0f];

/**
 * WebAssembly function `lift(point, isOdd)`. x is at the address `point`, in canonical form. Writes y and −y after x,
 * first the value with the given parity. Returns 1, or 0 if the curve has no point with this x.
 */
const lift: WasmFunction = {
  name: 'lift',
  params: [I32, I32],
  results: [I32],
  locals: [I32, I32],
  body: [
    set(2, behind(get(0))),
    set(3, behind(get(0), 2)),
    callFunction(SECP256K1_CALL.squareTimes, scratch(0), get(0), i32(1)),
    callFunction(SECP256K1_CALL.multiply, scratch(0), scratch(0), get(0)),
    storeAt('i64', scratch(0), sumOf(inMemory(scratch(0))(0), i64(7n))),
    callFunction(SECP256K1_CALL.root, get(2), scratch(0)),
    callFunction(SECP256K1_CALL.squareLess, scratch(1), get(2), scratch(0), scratchOffset(SECP256K1_ZERO)),
    when(op('eq', callFunction(SECP256K1_CALL.canonical, scratch(1)), i32(0)), [i32(0), RETURN]),
    when(callFunction(SECP256K1_CALL.canonical, get(2)), [i32(0), RETURN]),
    callFunction(SECP256K1_CALL.plusTimes, get(3), scratchOffset(PRIME), get(2), i64(-1n)),
    when(op('ne', op('and', load('i32', get(2)), i32(1)), get(1)), [
      callFunction(SECP256K1_CALL.plusTimes, scratch(0), get(2), get(2), i64(0n)),
      callFunction(SECP256K1_CALL.plusTimes, get(2), get(3), get(3), i64(0n)),
      callFunction(SECP256K1_CALL.plusTimes, get(3), scratch(0), scratch(0), i64(0n)),
    ]),
    i32(1),
  ],
};

/**
 * WebAssembly function `addPairs(pairs, count, sums, products)`. Adds the two points of each pair, with one inversion
 * for all pairs. `count` is at least 1. `products` is a workspace of one field element per pair; the caller must
 * store the element 1 directly before this workspace. Returns 0 if the points of a pair have the same x, because this
 * method cannot add them; otherwise 1.
 */
const addPairs: WasmFunction = {
  name: 'addPairs',
  params: [I32, I32, I32, I32],
  results: [I32],
  locals: new Array<number>(6).fill(I32),
  body: addPairsBody(),
};

function addPairsBody(): Code {
  const [pairs, count, sums, products] = [get(0), get(1), get(2), get(3)];
  const [number, firstX, firstY, secondX, secondY, sum] = [4, 5, 6, 7, 8, 9] as const;
  const [total, own, slope] = [scratch(0), scratch(1), scratch(2)];
  const pair = op('add', pairs, op('mul', get(number), i32(PAIR_BYTES)));
  const readPoint = (x: number, y: number, offset: number): Code => [
    set(y, load('i32', pair, offset)),
    set(x, op('and', get(y), i32(-2))),
    set(y, behind(op('add', get(x), op('mul', op('and', get(y), i32(1)), i32(FIELD_BYTES))))),
  ];
  const readPair = [readPoint(firstX, firstY, 0), readPoint(secondX, secondY, 4)];
  const product = op('add', products, op('mul', get(number), i32(FIELD_BYTES)));
  const previous = op('sub', product, i32(FIELD_BYTES));
  return [
    set(number, i32(0)),
    loop(
      readPair,
      callFunction(SECP256K1_CALL.differenceTimes, product, get(secondX), get(firstX), previous),
      set(number, op('add', get(number), i32(1))),
      brIf(0, op('lt', get(number), count)),
    ),
    callFunction(SECP256K1_CALL.plusTimes, total, previous, previous, i64(0n)),
    when(callFunction(SECP256K1_CALL.canonical, total), [i32(0), RETURN]),
    callFunction(SECP256K1_CALL.inverse, total, total),
    loop(
      set(number, op('sub', get(number), i32(1))),
      readPair,
      callFunction(SECP256K1_CALL.multiply, own, total, previous),
      callFunction(SECP256K1_CALL.differenceTimes, total, get(secondX), get(firstX), total),
      callFunction(SECP256K1_CALL.differenceTimes, slope, get(secondY), get(firstY), own),
      set(sum, op('add', sums, op('mul', get(number), i32(SECP256K1_POINT_BYTES)))),
      callFunction(SECP256K1_CALL.squareLess, get(sum), slope, get(firstX), get(secondX)),
      callFunction(SECP256K1_CALL.differenceTimesLess, behind(get(sum)), get(firstX), get(sum), slope, get(firstY)),
      brIf(0, get(number)),
    ),
    i32(1),
  ];
}

/** Constant 3 × b, where b = 7 is the constant of the curve equation y² = x³ + b. */
const B3 = 21n;

/**
 * WebAssembly function `addPoints(to, p, x, y, z)`. Adds two points. The first point X : Y : Z is at address `p`. The
 * coordinates of the second point are at the addresses `x`, `y` and `z`. The function is valid for all points of the
 * curve, including equal points, opposite points and infinity (0 : 1 : 0). Source: Renes, Costello, Batina 2015,
 * algorithm 7.
 */
const addPoints: WasmFunction = {
  name: 'addPoints',
  params: [I32, I32, I32, I32, I32],
  results: [],
  locals: [],
  body: addPointsBody(),
};

function addPointsBody(): Code {
  const [x1, y1, z1] = [get(1), behind(get(1)), behind(get(1), 2)];
  const [x2, y2, z2] = [get(2), get(3), get(4)];
  const [xx, yy, zz, xy, yz, xz, sum, minus] = [0, 1, 2, 3, 4, 5, 6, 7].map(scratch) as [
    Code,
    Code,
    Code,
    Code,
    Code,
    Code,
    Code,
    Code,
  ];
  return [
    callFunction(SECP256K1_CALL.multiply, xx, x1, x2),
    callFunction(SECP256K1_CALL.multiply, yy, y1, y2),
    callFunction(SECP256K1_CALL.multiply, zz, z1, z2),
    callFunction(SECP256K1_CALL.cross, xy, x1, y1, x2, y2, xx, yy),
    callFunction(SECP256K1_CALL.cross, yz, y1, z1, y2, z2, yy, zz),
    callFunction(SECP256K1_CALL.cross, xz, x1, z1, x2, z2, xx, zz),
    callFunction(SECP256K1_CALL.plusTimes, xx, xx, xx, i64(2n)),
    callFunction(SECP256K1_CALL.plusTimes, zz, zz, zz, i64(B3 - 1n)),
    callFunction(SECP256K1_CALL.plusTimes, xz, xz, xz, i64(B3 - 1n)),
    callFunction(SECP256K1_CALL.plusTimes, sum, yy, zz, i64(1n)),
    callFunction(SECP256K1_CALL.plusTimes, yy, yy, zz, i64(-1n)),
    callFunction(SECP256K1_CALL.plusTimes, minus, scratchOffset(SECP256K1_ZERO), xz, i64(-1n)),
    callFunction(SECP256K1_CALL.twoProducts, get(0), xy, yy, yz, minus),
    callFunction(SECP256K1_CALL.twoProducts, behind(get(0)), yy, sum, xz, xx),
    callFunction(SECP256K1_CALL.twoProducts, behind(get(0), 2), sum, yz, xx, xy),
  ];
}

export const curveFunctions: readonly WasmFunction[] = [lift, addPairs, addPoints];
