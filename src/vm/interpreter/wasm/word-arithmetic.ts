import {
  block,
  brIf,
  type Code,
  callFunction,
  get,
  i32,
  i64,
  load,
  loop,
  op,
  set,
  storeAt,
  storeVector,
  unary,
  when,
  ZERO_VECTOR,
} from '../../../crypto/wasm/assembler.js';
import { itemAt } from '../../../primitives/assert.js';
import { EXP, EXP_BYTE } from '../../opcodes/prices.js';
import { LAYOUT } from './layout.js';
import { energy, spend } from './loop-energy.js';
import { type Callees, DIVISOR, T, X } from './loop-state.js';
import {
  copyWord,
  drop,
  isWide,
  isZeroAt,
  limb,
  loadLimbs,
  setLimb,
  storeWordLimbs,
  word,
  x0,
  x1,
  x4,
  x7,
  x8,
} from './stack-words.js';
import { lessWords } from './word-bits.js';

export const add: Code = [
  ...loadLimbs(1, 0),
  ...loadLimbs(2, 4),
  ...set(X[4], op('add64', x0, x4)),
  ...set(X[8], unary('extendU', op('lt64', x4, x0))),
  ...[1, 2, 3].flatMap((i) => {
    const sum = get(itemAt(X, 4 + i));
    const carried = set(itemAt(X, 4 + i), op('add64', get(itemAt(X, i)), sum));
    if (i === 3) return [...carried, ...set(X[7], op('add64', x7, x8))];
    return [
      ...carried,
      ...set(X[9], unary('extendU', op('lt64', sum, get(itemAt(X, i))))),
      ...set(itemAt(X, 4 + i), op('add64', sum, x8)),
      ...set(X[8], op('or64', get(X[9]), unary('extendU', op('lt64', sum, x8)))),
    ];
  }),
  ...storeWordLimbs(2, 4),
  ...drop(1),
];

export const sub: Code = [
  ...loadLimbs(1, 0),
  ...loadLimbs(2, 4),
  ...set(X[8], unary('extendU', op('lt64', x0, x4))),
  ...set(X[4], op('sub64', x0, x4)),
  ...[1, 2, 3].flatMap((i) => {
    const a = get(itemAt(X, i));
    const b = get(itemAt(X, 4 + i));
    return [
      ...set(X[9], unary('extendU', op('lt64', a, b))),
      ...set(itemAt(X, 4 + i), op('sub64', a, b)),
      ...set(X[10], unary('extendU', op('lt64', get(itemAt(X, 4 + i)), x8))),
      ...set(itemAt(X, 4 + i), op('sub64', get(itemAt(X, 4 + i)), x8)),
      ...set(X[8], op('or64', get(X[9]), get(X[10]))),
    ];
  }),
  ...storeWordLimbs(2, 4),
  ...drop(1),
];

const FACTOR_MAX = i64(0x100000000n);

export function multiply({ mul }: Callees): Code {
  const isSmall = op(
    'and',
    unary('eqz', op('or', isWide(1), isWide(2))),
    op('and', op('lt64', limb(1, 0), FACTOR_MAX), op('lt64', limb(2, 0), FACTOR_MAX)),
  );
  return [
    ...when(isSmall, setLimb(2, 0, op('mul64', limb(1, 0), limb(2, 0))), callFunction(mul, word(2), word(1), word(2))),
    ...drop(1),
  ];
}

/**
 * Returns code that divides stack word 1 by stack word 2, and stores the quotient or the remainder in word 2. Word 2
 * must not be zero.
 */
function divideWords({ divide, divideSmall }: Callees, wantsRemainder: boolean): Code {
  const isSmall = op('and', unary('eqz', isWide(2)), op('lt64', limb(2, 0), FACTOR_MAX));
  return [
    ...copyWord(i32(LAYOUT.number), word(1)),
    ...when(isSmall, callFunction(divideSmall, i32(LAYOUT.number), limb(2, 0), i32(LAYOUT.quotient)), [
      ...storeAt('i64', i32(LAYOUT.number), i64(0n), 32),
      ...callFunction(divide, i32(LAYOUT.number), i32(8), word(2), i32(LAYOUT.quotient)),
    ]),
    ...copyWord(word(2), i32(wantsRemainder ? LAYOUT.number : LAYOUT.quotient)),
  ];
}

export function divideUnsigned(callees: Callees, wantsRemainder: boolean): Code {
  const small = setLimb(2, 0, op(wantsRemainder ? 'rem64' : 'div64', limb(1, 0), limb(2, 0)));
  return [
    ...when(
      unary('eqz', isZeroAt(2)),
      when(unary('eqz', op('or', isWide(1), isWide(2))), small, divideWords(callees, wantsRemainder)),
    ),
    ...drop(1),
  ];
}

/** Returns code that replaces stack word `n` by its two's complement. */
function negate(n: number): Code {
  return [
    ...set(X[8], i64(1n)),
    ...[0, 1, 2, 3].flatMap((i) => [
      ...set(X[9], op('add64', op('xor64', limb(n, i), i64(-1n)), x8)),
      ...set(X[8], op('and64', x8, unary('extendU', unary('eqz64', get(X[9]))))),
      ...setLimb(n, i, get(X[9])),
    ]),
  ];
}

export function divideSigned(callees: Callees, wantsRemainder: boolean): Code {
  const isNegative = (n: number) => op('ltS64', limb(n, 3), i64(0n));
  const sign = wantsRemainder ? get(T) : op('xor', get(T), get(DIVISOR));
  return [
    ...when(unary('eqz', isZeroAt(2)), [
      ...set(T, isNegative(1)),
      ...set(DIVISOR, isNegative(2)),
      ...when(get(T), negate(1)),
      ...when(get(DIVISOR), negate(2)),
      ...divideWords(callees, wantsRemainder),
      ...when(sign, negate(2)),
    ]),
    ...drop(1),
  ];
}

export function addModulo({ divide }: Callees): Code {
  const sum = (i: number) => [
    ...set(X[9], op('add64', limb(1, i), limb(2, i))),
    ...set(X[10], unary('extendU', op('lt64', get(X[9]), limb(1, i)))),
    ...storeAt('i64', i32(LAYOUT.number), tee9(), 8 * i),
    ...set(X[8], op('or64', get(X[10]), unary('extendU', op('lt64', get(X[9]), x8)))),
  ];
  const tee9 = (): Code => [...set(X[9], op('add64', get(X[9]), x8)), ...get(X[9])];
  const divided = [
    ...set(X[8], i64(0n)),
    ...[0, 1, 2, 3].flatMap(sum),
    ...storeAt('i64', i32(LAYOUT.number), x8, 32),
    ...storeAt('i64', i32(LAYOUT.number), i64(0n), 40),
    ...callFunction(divide, i32(LAYOUT.number), i32(9), word(3), i32(LAYOUT.quotient)),
    ...copyWord(word(3), i32(LAYOUT.number)),
  ];
  const areReduced = op('and', lessWords(1, 3, 'lt64'), lessWords(2, 3, 'lt64'));
  return [...when(unary('eqz', isZeroAt(3)), when(areReduced, addReduced, divided)), ...drop(2)];
}

/**
 * Adds two words that are below the modulus. The sum is below twice the modulus, so at most one subtraction is needed.
 */
const addReduced: Code = [
  ...set(X[8], i64(0n)),
  ...set(X[10], i64(0n)),
  ...[0, 1, 2, 3].flatMap((i) => {
    const [sum, rest] = [itemAt(X, i), itemAt(X, 4 + i)];
    return [
      ...set(sum, op('add64', limb(1, i), limb(2, i))),
      ...set(X[9], unary('extendU', op('lt64', get(sum), limb(1, i)))),
      ...set(sum, op('add64', get(sum), x8)),
      ...set(X[8], op('or64', get(X[9]), unary('extendU', op('lt64', get(sum), x8)))),
      ...set(X[9], unary('extendU', op('lt64', get(sum), limb(3, i)))),
      ...set(rest, op('sub64', get(sum), limb(3, i))),
      ...set(X[11], unary('extendU', op('lt64', get(rest), get(X[10])))),
      ...set(rest, op('sub64', get(rest), get(X[10]))),
      ...set(X[10], op('or64', get(X[9]), get(X[11]))),
    ];
  }),
  ...when(op('ge64', x8, get(X[10])), storeWordLimbs(3, 4), storeWordLimbs(3, 0)),
];

export function multiplyModulo({ product, divide, reduce }: Callees): Code {
  return [
    ...when(unary('eqz', isZeroAt(3)), [
      ...callFunction(product, i32(LAYOUT.number), word(1), word(2)),
      ...when(load('i32', word(3), 28), callFunction(reduce, i32(LAYOUT.number), word(3)), [
        ...storeAt('i32', i32(LAYOUT.number), i32(0), 64),
        ...callFunction(divide, i32(LAYOUT.number), i32(16), word(3), i32(LAYOUT.quotient)),
      ]),
      ...copyWord(word(3), i32(LAYOUT.number)),
    ]),
    ...drop(2),
  ];
}

/**
 * EXP by square and multiply, starting with the second highest bit of the exponent. The price depends on the byte
 * length of the exponent.
 */
export function power({ mul, square }: Callees, leave: (blocks: number) => Code): Code {
  const base = i32(LAYOUT.wordA);
  const result = i32(LAYOUT.wordB);
  // Sets X[1] to the bit length of the exponent.
  const bits = [0, 1, 2, 3].flatMap((i) =>
    when(
      unary('eqz', unary('eqz64', limb(2, i))),
      set(X[1], op('sub64', i64(BigInt(64 * (i + 1))), unary('clz64', limb(2, i)))),
    ),
  );
  const bit = op(
    'and64',
    op(
      'shr64',
      load('i64', op('add', word(2), op('and', op('shrU', get(T), i32(3)), i32(0x18)))),
      unary('extendU', op('and', get(T), i32(63))),
    ),
    i64(1n),
  );
  return [
    ...set(X[1], i64(0n)),
    ...bits,
    ...set(
      X[8],
      op('add64', energy(EXP), op('mul64', energy(EXP_BYTE), op('shr64', op('add64', x1, i64(7n)), i64(3n)))),
    ),
    ...spend(leave),
    ...set(T, unary('wrap', x1)),
    ...when(
      get(T),
      [
        copyWord(base, word(1)),
        copyWord(result, word(1)),
        block(
          brIf(0, op('eq', get(T), i32(1))),
          set(T, op('sub', get(T), i32(1))),
          loop(
            set(T, op('sub', get(T), i32(1))),
            callFunction(square, result, result),
            when(unary('eqz', unary('eqz64', bit)), callFunction(mul, result, result, base)),
            brIf(0, get(T)),
          ),
        ),
      ],
      [storeAt('i64', result, i64(1n)), storeAt('i64', result, i64(0n), 8), storeVector(result, ZERO_VECTOR, 16)],
    ),
    ...copyWord(word(2), result),
    ...drop(1),
  ];
}
