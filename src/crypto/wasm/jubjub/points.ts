import {
  brIf,
  type Code,
  callFunction,
  get,
  I32,
  i32,
  load,
  loop,
  op,
  set,
  storeAt,
  type WasmFunction,
  when,
} from '../assembler.js';
import { FIELD_BYTES } from '../limbs.js';
import { COMPACT_BYTES, compactNumbers } from '../signed-limbs.js';
import { JUBJUB_CALL } from './field.js';

/** Index of the first field element of the workspace for point additions. */
const SCRATCH = 0;
/** Index of the first field element of the constants. */
const CONSTANTS = 8;
export const JUBJUB_ZERO = CONSTANTS;
/** Index of the constant 1 in Montgomery form. */
export const JUBJUB_ONE = CONSTANTS + 1;
/** Index of the constant 1, not in Montgomery form. */
export const PLAIN_ONE = CONSTANTS + 2;
/** Index of the factor that converts a plain number to Montgomery form. */
export const TO_MONTGOMERY = CONSTANTS + 3;
export const HALF = CONSTANTS + 4;
/** Index of the coefficient d of the curve −x² + y² = 1 + d × x² × y². */
export const D = CONSTANTS + 5;
/**
 * Index of the constant 2^783 modulo p. The function `inverse` inverts the stored form of a number, which contains
 * the Montgomery factor. The product of the result and this constant is the inverse in Montgomery form.
 */
export const OF_INVERSE = CONSTANTS + 6;
export const JUBJUB_MEMORY_END = CONSTANTS + 7;

/** Size in bytes of a point with coordinates x, y, z and t = x × y / z. Its affine coordinates are x / z and y / z. */
export const JUBJUB_POINT_BYTES = 4 * FIELD_BYTES;
/**
 * Size in bytes of a summand. A summand is a point in a form that is fast to add: (y − x) / 2, (y + x) / 2, d × t, and
 * z.
 */
export const SUMMAND_BYTES = 4 * FIELD_BYTES;
/**
 * Size in bytes of a known summand, which is precomputed with z = 1. z is not stored, and the limbs of the other
 * numbers are stored in 32-bit words.
 */
export const KNOWN_SUMMAND_BYTES: number = 3 * COMPACT_BYTES;
/**
 * Flag in the lowest bit of the address of a known summand. If the flag is set, the negative of the summand is added.
 */
export const NEGATIVE = 1;
/** Mask of the sign bits of four 3-bit windows. The four windows together select a known summand. */
const SIGNS = 0b100_100_100_100;

const offsetOf = (number: number): Code => i32(number * FIELD_BYTES);
const part = (point: Code, number: number): Code =>
  number === 0 ? point : op('add', point, i32(number * FIELD_BYTES));
const partsOf = (point: Code) => [part(point, 0), part(point, 1), part(point, 2), part(point, 3)] as const;
/** Addresses of two pairs of adjacent field elements in the workspace. Each pair contains a sum and a difference. */
const [SUM, DIFFERENCE, OTHER_SUM, OTHER_DIFFERENCE] = [0, 1, 2, 3].map((at) => offsetOf(SCRATCH + at)) as [
  Code,
  Code,
  Code,
  Code,
];
const [A, B, C, E] = [4, 5, 6, 7].map((at) => offsetOf(SCRATCH + at)) as [Code, Code, Code, Code];

/** Index of the function `addKnown`. It is the first function after the field functions. */
const ADD_KNOWN = Object.keys(JUBJUB_CALL).length;

/** Creates the point functions. Their parameters are addresses. */
export const pointFunctions = (): readonly WasmFunction[] => [
  addKnown,
  addSummand,
  double,
  summandOf,
  addAllKnown,
  chooseKnown,
  compactNumbers('knownSummand', 3),
];

/**
 * Returns code for the final part of an addition. The code before this part computes A, B and C from a summand. The
 * formulas are complete for this curve, because the coefficient a = −1 is a square and d is not. Source: Hisil, Wong,
 * Carter, Dawson, "Twisted Edwards Curves Revisited", 3.1, with all values halved.
 */
function additionEnd(zs: Code): Code {
  const [x, y, z, t] = partsOf(get(0));
  return [
    callFunction(JUBJUB_CALL.sumAndDifference, SUM, B, A),
    callFunction(JUBJUB_CALL.sumAndDifference, OTHER_SUM, zs, C),
    callFunction(JUBJUB_CALL.multiply, x, DIFFERENCE, OTHER_DIFFERENCE),
    callFunction(JUBJUB_CALL.multiply, y, OTHER_SUM, SUM),
    callFunction(JUBJUB_CALL.multiply, t, DIFFERENCE, SUM),
    callFunction(JUBJUB_CALL.multiply, z, OTHER_DIFFERENCE, OTHER_SUM),
  ];
}

/** WebAssembly function `addSummand(point, summand)`. Adds a summand to the point in place. */
const addSummand: WasmFunction = (() => {
  const summand = get(1);
  const [x, y, z, t] = partsOf(get(0));
  return {
    name: 'addSummand',
    params: [I32, I32],
    results: [],
    locals: [],
    body: [
      callFunction(JUBJUB_CALL.multiply, E, z, part(summand, 3)),
      callFunction(JUBJUB_CALL.sumAndDifference, SUM, y, x),
      callFunction(JUBJUB_CALL.multiply, A, DIFFERENCE, summand),
      callFunction(JUBJUB_CALL.multiply, B, SUM, part(summand, 1)),
      callFunction(JUBJUB_CALL.multiply, C, t, part(summand, 2)),
      additionEnd(E),
    ],
  };
})();

/**
 * WebAssembly function `addKnown(point, summand)`. Adds a known summand or its negative to the point in place. For the
 * negative, the first two parts of the summand are exchanged, and the third is negated.
 */
const addKnown: WasmFunction = (() => {
  const [summand, isNegative, turn] = [1, 2, 3];
  const [x, y, z, t] = partsOf(get(0));
  const at = (bytes: number): Code => op('add', get(summand), i32(bytes));
  return {
    name: 'addKnown',
    params: [I32, I32],
    results: [],
    locals: [I32, I32],
    body: [
      set(isNegative, op('and', get(summand), i32(NEGATIVE))),
      set(summand, op('xor', get(summand), get(isNegative))),
      set(turn, op('mul', get(isNegative), i32(COMPACT_BYTES))),
      callFunction(JUBJUB_CALL.sumAndDifference, SUM, y, x),
      callFunction(JUBJUB_CALL.multiplyKnown, A, DIFFERENCE, op('add', get(summand), get(turn))),
      callFunction(JUBJUB_CALL.multiplyKnown, B, SUM, op('sub', at(COMPACT_BYTES), get(turn))),
      callFunction(JUBJUB_CALL.multiplyKnown, C, t, at(2 * COMPACT_BYTES)),
      when(get(isNegative), callFunction(JUBJUB_CALL.subtract, C, offsetOf(JUBJUB_ZERO), C)),
      additionEnd(z),
    ],
  };
})();

/**
 * WebAssembly function `double(point)`. Doubles a point in place. Source: Hisil, Wong, Carter, Dawson, "Twisted Edwards
 * Curves Revisited", 3.3, with the signs of two factors changed.
 */
const double: WasmFunction = (() => {
  const [x, y, z, t] = partsOf(get(0));
  return {
    name: 'double',
    params: [I32],
    results: [],
    locals: [],
    body: [
      callFunction(JUBJUB_CALL.multiply, A, x, x),
      callFunction(JUBJUB_CALL.multiply, B, y, y),
      callFunction(JUBJUB_CALL.sumAndDifference, SUM, x, x),
      callFunction(JUBJUB_CALL.multiply, E, SUM, y),
      callFunction(JUBJUB_CALL.sumAndDifference, SUM, z, z),
      callFunction(JUBJUB_CALL.multiply, C, SUM, z),
      callFunction(JUBJUB_CALL.sumAndDifference, SUM, B, A),
      callFunction(JUBJUB_CALL.subtract, C, C, DIFFERENCE),
      callFunction(JUBJUB_CALL.multiply, x, E, C),
      callFunction(JUBJUB_CALL.multiply, y, DIFFERENCE, SUM),
      callFunction(JUBJUB_CALL.multiply, z, DIFFERENCE, C),
      callFunction(JUBJUB_CALL.multiply, t, E, SUM),
    ],
  };
})();

/** WebAssembly function `summandOf(to, point)`. Converts a point to a summand. */
const summandOf: WasmFunction = (() => {
  const [x, y, z, t] = partsOf(get(1));
  return {
    name: 'summandOf',
    params: [I32, I32],
    results: [],
    locals: [],
    body: [
      callFunction(JUBJUB_CALL.sumAndDifference, SUM, y, x),
      callFunction(JUBJUB_CALL.multiply, get(0), DIFFERENCE, offsetOf(HALF)),
      callFunction(JUBJUB_CALL.multiply, part(get(0), 1), SUM, offsetOf(HALF)),
      callFunction(JUBJUB_CALL.multiply, part(get(0), 2), t, offsetOf(D)),
      callFunction(JUBJUB_CALL.add, part(get(0), 3), z, offsetOf(JUBJUB_ZERO)),
    ],
  };
})();

/**
 * WebAssembly function `addAllKnown(point, list, count)`. Adds `count` known summands to the point. `list` contains
 * their 4-byte addresses; `count` is at least 1. The tables of summands are larger than the processor cache.
 * Therefore, the function first reads one word of each 64-byte line of all summands, as a prefetch.
 * @returns the sum of these words, only so that the reads are not optimized away
 */
const addAllKnown: WasmFunction = (() => {
  const [list, count, at, words] = [1, 2, 3, 4];
  const end = op('add', get(list), op('mul', get(count), i32(4)));
  const lines = [0, KNOWN_SUMMAND_BYTES / 2 - 2, KNOWN_SUMMAND_BYTES - 8].map((byte) =>
    load('i32', load('i32', get(at)), byte),
  );
  return {
    name: 'addAllKnown',
    params: [I32, I32, I32],
    results: [I32],
    locals: [I32, I32],
    body: [
      set(at, get(list)),
      loop(
        lines.map((line) => set(words, op('add', get(words), line))),
        set(at, op('add', get(at), i32(4))),
        brIf(0, op('ne', get(at), end)),
      ),
      loop(
        callFunction(ADD_KNOWN, get(0), load('i32', get(list))),
        set(list, op('add', get(list), i32(4))),
        set(count, op('sub', get(count), i32(1))),
        brIf(0, get(count)),
      ),
      get(words),
    ],
  };
})();

/**
 * WebAssembly function `chooseKnown(list, bits, tables, count)`. Writes the addresses of `count` known summands to
 * `list`, 4 bytes each. Each address is selected by a group of 12 bits of `bits`, lowest group first. `tables`
 * contains the address of one table per group. Every third bit is a sign. The index into a table omits the highest
 * sign. If the highest sign is set, the other signs are flipped and the summand is negated.
 */
const chooseKnown: WasmFunction = (() => {
  const [list, bits, tables, end, shift, chosen, isNegative] = [0, 1, 2, 3, 4, 5, 6];
  const advance = (local: number, bytes: Code): Code => set(local, op('add', get(local), bytes));
  return {
    name: 'chooseKnown',
    params: [I32, I32, I32, I32],
    results: [],
    locals: [I32, I32, I32],
    body: [
      set(end, op('add', get(list), op('shl', get(end), i32(2)))),
      loop(
        set(chosen, op('and', op('shrU', load('u16', get(bits)), get(shift)), i32(0xfff))),
        set(isNegative, op('shrU', get(chosen), i32(11))),
        set(chosen, op('xor', get(chosen), op('mul', get(isNegative), i32(SIGNS)))),
        storeAt(
          'i32',
          get(list),
          op(
            'add',
            op('add', load('i32', get(tables)), op('mul', get(chosen), i32(KNOWN_SUMMAND_BYTES))),
            get(isNegative),
          ),
        ),
        // Advances by 12 bits: one byte, and another byte after each second group.
        advance(bits, op('add', i32(1), op('shrU', get(shift), i32(2)))),
        set(shift, op('xor', get(shift), i32(4))),
        advance(list, i32(4)),
        advance(tables, i32(4)),
        brIf(0, op('ne', get(list), get(end))),
      ),
    ],
  };
})();
