import {
  br,
  type Code,
  get,
  i32,
  i64,
  load,
  loadVector,
  loop,
  notVector,
  op,
  select,
  set,
  storeAt,
  storeVector,
  unary,
  vector,
  when,
} from '../../../crypto/wasm/assembler.js';
import { itemAt } from '../../../primitives/assert.js';
import { DIVISOR, T, X } from './loop-state.js';
import {
  drop,
  isWide,
  limb,
  loadLimbs,
  setLimb,
  setSmall,
  storeWordLimbs,
  word,
  x0,
  x4,
  x5,
  x6,
} from './stack-words.js';

export function bitwise(name: 'and' | 'or' | 'xor'): Code {
  const half = (offset: number) =>
    storeVector(word(2), vector(name, loadVector(word(1), offset), loadVector(word(2), offset)), offset);
  return [...half(0), ...half(16), ...drop(1)];
}

export const not: Code = [
  ...storeVector(word(1), notVector(loadVector(word(1)))),
  ...storeVector(word(1), notVector(loadVector(word(1), 16)), 16),
];

export function test(condition: Code, pops: number): Code {
  return [...set(T, condition), ...setSmall(pops, unary('extendU', get(T))), ...drop(pops - 1)];
}

/**
 * Returns an expression for a < b, where a is stack word `first` and b is stack word `second`. `high` is the operator
 * that compares the top limbs: unsigned, or signed for SLT and SGT.
 */
export function lessWords(first: number, second: number, high: 'lt64' | 'ltS64'): Code {
  const at = (i: number): Code => {
    const a = limb(first, i);
    const b = limb(second, i);
    const isLess = op(i === 3 ? high : 'lt64', a, b);
    return i === 0 ? isLess : op('or', isLess, op('and', op('eq64', a, b), at(i - 1)));
  };
  return at(3);
}

export const equal: Code = unary(
  'eqz64',
  [0, 1, 2, 3].map((i) => op('xor64', limb(1, i), limb(2, i))).reduce((a, b) => op('or64', a, b)),
);

export function shift(kind: 'left' | 'right' | 'signed'): Code {
  const fill = kind === 'signed' ? x6 : i64(0n);
  const isFar = op('or', isWide(1), op('ge64', limb(1, 0), i64(256n)));
  return [
    ...set(X[6], kind === 'signed' ? op('shrS64', limb(2, 3), i64(63n)) : i64(0n)),
    ...when(
      isFar,
      [0, 1, 2, 3].flatMap((i) => setLimb(2, i, x6)),
      [
        ...loadLimbs(2, 0),
        ...set(X[4], limb(1, 0)),
        ...shiftLimbs(kind === 'left' ? 'left' : 'right', fill),
        ...storeWordLimbs(2, 0),
      ],
    ),
    ...drop(1),
  ];
}

/**
 * Returns code that shifts a 256-bit number by X[4] bits (0 to 255). The 64-bit limbs of the number are in X[0] to
 * X[3], lowest first.
 * @param fill limb that replaces the limbs shifted out
 */
function shiftLimbs(kind: 'left' | 'right', fill: Code): Code {
  const move = (bit: bigint, by: number): Code => {
    const order = kind === 'left' ? [3, 2, 1, 0] : [0, 1, 2, 3];
    const source = (i: number) => (kind === 'left' ? i - by : i + by);
    const moved = order.flatMap((i) => {
      const from = source(i);
      return set(itemAt(X, i), from >= 0 && from <= 3 ? get(itemAt(X, from)) : fill);
    });
    return when(unary('eqz', unary('eqz64', op('and64', x4, i64(bit)))), moved);
  };
  const rest = op('sub64', i64(64n), x5);
  const limbs =
    kind === 'left'
      ? [3, 2, 1, 0].flatMap((i) => {
          const high = op('shl64', get(itemAt(X, i)), x5);
          return set(itemAt(X, i), i === 0 ? high : op('or64', high, op('shr64', get(itemAt(X, i - 1)), rest)));
        })
      : [0, 1, 2, 3].flatMap((i) => {
          const low = op('shr64', get(itemAt(X, i)), x5);
          const above = i === 3 ? fill : get(itemAt(X, i + 1));
          return set(itemAt(X, i), op('or64', low, op('shl64', above, rest)));
        });
  return [
    ...move(128n, 2),
    ...move(64n, 1),
    ...set(X[5], op('and64', x4, i64(63n))),
    ...when(unary('eqz', unary('eqz64', x5)), limbs),
  ];
}

/** BYTE counts bytes from the most significant byte, while words in memory are little-endian. */
export const byteOf: Code = [
  ...set(X[0], i64(0n)),
  ...when(
    unary('eqz', op('or', isWide(1), op('ge64', limb(1, 0), i64(32n)))),
    set(X[0], unary('extendU', load('u8', op('add', word(2), op('sub', i32(31), unary('wrap', limb(1, 0))))))),
  ),
  ...setSmall(2, x0),
  ...drop(1),
];

/** CLZ: the number of leading zero bits of a word, or 256 if the word is zero. */
export const leadingZeros: Code = [
  ...set(X[0], i64(256n)),
  ...[0, 1, 2, 3].flatMap((i) =>
    when(
      unary('eqz', unary('eqz64', limb(1, i))),
      set(X[0], op('add64', i64(BigInt(64 * (3 - i))), unary('clz64', limb(1, i)))),
    ),
  ),
  ...setSmall(1, x0),
];

export const signExtend: Code = [
  ...when(unary('eqz', op('or', isWide(1), op('ge64', limb(1, 0), i64(31n)))), [
    ...set(T, op('add', word(2), unary('wrap', limb(1, 0)))),
    ...set(DIVISOR, select(i32(0xff), i32(0), op('ge', load('u8', get(T)), i32(0x80)))),
    ...loop(
      set(T, op('add', get(T), i32(1))),
      when(op('lt', get(T), word(1)), [...storeAt('u8', get(T), get(DIVISOR)), ...br(1)]),
    ),
  ]),
  ...drop(1),
];
