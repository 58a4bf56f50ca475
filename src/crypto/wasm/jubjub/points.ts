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

/** Places of one number each at the begin of the memory: what points are added with, then constants. */
const SCRATCH = 0;
const CONSTANTS = 8;
export const JUBJUB_ZERO = CONSTANTS;
/** Number 1 as it is kept, as a plain number, and what a plain number is multiplied by to be kept. */
export const JUBJUB_ONE = CONSTANTS + 1;
export const PLAIN_ONE = CONSTANTS + 2;
export const TO_MONTGOMERY = CONSTANTS + 3;
export const HALF = CONSTANTS + 4;
/** Of the curve -x² + y² = 1 + d x² y². */
export const D = CONSTANTS + 5;
/** What turns the inverse of a number as it is kept into one that is kept. */
export const OF_INVERSE = CONSTANTS + 6;
export const JUBJUB_MEMORY_END = CONSTANTS + 7;

/** x, y, z, and t = x y / z: the point x/z, y/z. */
export const JUBJUB_POINT_BYTES = 4 * FIELD_BYTES;
/**
 * What a point is added as: (y - x) / 2, (y + x) / 2, d t, and z; without z, and in words of 32 bits, where that is 1.
 */
export const SUMMAND_BYTES = 4 * FIELD_BYTES;
export const KNOWN_SUMMAND_BYTES: number = 3 * COMPACT_BYTES;
/** Set in the address of a known summand whose negative is added. */
export const NEGATIVE = 1;
/** Signs of the four windows of three bits that choose a known summand together. */
const SIGNS = 0b100_100_100_100;

const place = (number: number): Code => i32(number * FIELD_BYTES);
const part = (point: Code, number: number): Code =>
  number === 0 ? point : op('add', point, i32(number * FIELD_BYTES));
const partsOf = (point: Code) => [part(point, 0), part(point, 1), part(point, 2), part(point, 3)] as const;
/** Two places behind each other hold a sum and a difference. */
const [SUM, DIFFERENCE, OTHER_SUM, OTHER_DIFFERENCE] = [0, 1, 2, 3].map((at) => place(SCRATCH + at)) as [
  Code,
  Code,
  Code,
  Code,
];
const [A, B, C, E] = [4, 5, 6, 7].map((at) => place(SCRATCH + at)) as [Code, Code, Code, Code];

/** Number of a function of the module. */
const ADD_KNOWN = Object.keys(JUBJUB_CALL).length;

/** Parameters are addresses. */
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
 * What is left of an addition when A, B and C have been made of a summand. Complete for all points of this curve, as a
 * = -1 is a square and d is none. Source: Hisil, Wong, Carter, Dawson, "Twisted Edwards Curves Revisited", 3.1, where
 * everything is halved.
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

/** (point, summand): adds it. */
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
 * (point, summand): adds a known one, or its negative: then the first two parts change places, and the third its sign.
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
      when(get(isNegative), callFunction(JUBJUB_CALL.subtract, C, place(JUBJUB_ZERO), C)),
      additionEnd(z),
    ],
  };
})();

/** (point): twice itself. Source: the same, 3.3, with the signs of two factors changed. */
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

/** (to, point): the point as a summand. */
const summandOf: WasmFunction = (() => {
  const [x, y, z, t] = partsOf(get(1));
  return {
    name: 'summandOf',
    params: [I32, I32],
    results: [],
    locals: [],
    body: [
      callFunction(JUBJUB_CALL.sumAndDifference, SUM, y, x),
      callFunction(JUBJUB_CALL.multiply, get(0), DIFFERENCE, place(HALF)),
      callFunction(JUBJUB_CALL.multiply, part(get(0), 1), SUM, place(HALF)),
      callFunction(JUBJUB_CALL.multiply, part(get(0), 2), t, place(D)),
      callFunction(JUBJUB_CALL.add, part(get(0), 3), z, place(JUBJUB_ZERO)),
    ],
  };
})();

/**
 * (to, list, count): adds the known summands whose addresses a list of 4 bytes each holds; one at least. Tables are
 * larger than what the processor keeps near, so words of all summands, of each line of 64 bytes that one lies in, are
 * asked for before the first is needed.
 * @returns nothing of use: the sum of those words, without which nobody would ask for them
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
 * (list, bits, tables, count): places the addresses of known summands into a list of 4 bytes each, for so many groups
 * of 12 bits behind each other, the lowest first. `tables` holds an address of a table for each group: of the summands
 * that its bits choose without the highest, which negates what the others choose with signs changed: each third bit is
 * a sign.
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
        // 12 bits on: a byte, and another one behind the second of two groups.
        advance(bits, op('add', i32(1), op('shrU', get(shift), i32(2)))),
        set(shift, op('xor', get(shift), i32(4))),
        advance(list, i32(4)),
        advance(tables, i32(4)),
        brIf(0, op('ne', get(list), get(end))),
      ),
    ],
  };
})();
