import {
  block,
  br,
  brIf,
  brTable,
  type Code,
  call,
  get,
  I32,
  I64,
  i32,
  i64,
  load,
  loadVector,
  loop,
  notVector,
  op,
  select,
  set,
  store,
  storeVector,
  unary,
  vector,
  type WasmFunction,
  when,
  ZERO_VECTOR,
} from '../../../log/wasm/assembler.js';
import { FAILED_SEGMENT, INSTRUCTION, LAYOUT, REGISTER } from './layout.js';
import { swapBytes } from './swap-bytes.js';

/** Numbers of the functions that the loop calls. */
export interface Callees {
  readonly load: number;
  readonly storeCost: number;
  readonly store: number;
  readonly keccak: number;
  readonly mul: number;
  readonly product: number;
  readonly divide: number;
}

const [IP, SP, STACK, MEM, SIZE, CAP, DATA, DATALEN, JUMPS, CODELEN, SEGS, STATIC, OP, ARG, T, U] = Array.from(
  { length: 16 },
  (_, i) => i,
) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];
const [LEFT, USAGE, PENALTY, RESERVE, FACTOR] = [16, 17, 18, 19, 20];
const X = Array.from({ length: 12 }, (_, i) => 21 + i);
const LOCALS = [...new Array<number>(16).fill(I32), ...new Array<number>(17).fill(I64)];

const sp = get(SP);
const [x0, x1, , , x4, x5, x6, x7, x8] = X.map((local) => get(local)) as [
  Code,
  Code,
  Code,
  Code,
  Code,
  Code,
  Code,
  Code,
  Code,
];

/** Address of the word `n` places below the top, by the stack pointer as it is. */
function word(n: number): Code {
  return op('sub', sp, i32(32 * n));
}

function limb(n: number, i: number): Code {
  return load('i64', word(n), 8 * i);
}

function setLimb(n: number, i: number, value: Code): Code {
  return store('i64', word(n), value, 8 * i);
}

function drop(count: number): Code {
  return set(SP, op('sub', sp, i32(32 * count)));
}

function loadLimbs(n: number, first: number): Code {
  return [0, 1, 2, 3].flatMap((i) => set(X[first + i]!, limb(n, i)));
}

function storeLimbs(n: number, first: number): Code {
  return [0, 1, 2, 3].flatMap((i) => setLimb(n, i, get(X[first + i]!)));
}

/** Sets the word to a small number, from an expression of 64 bits. */
function setSmall(n: number, value: Code): Code {
  return [...setLimb(n, 0, value), ...setLimb(n, 1, i64(0n)), ...storeVector(word(n), ZERO_VECTOR, 16)];
}

function pushSmall(value: Code): Code {
  return [
    ...store('i64', sp, value),
    ...store('i64', sp, i64(0n), 8),
    ...storeVector(sp, ZERO_VECTOR, 16),
    ...set(SP, op('add', sp, i32(32))),
  ];
}

function copyWord(to: Code, from: Code): Code {
  return [...storeVector(to, loadVector(from)), ...storeVector(to, loadVector(from, 16), 16)];
}

/** Whether any limb above the lowest is set. */
function isWide(n: number): Code {
  return unary('eqz', unary('eqz64', op('or64', op('or64', limb(n, 1), limb(n, 2)), limb(n, 3))));
}

function bitwise(name: 'and' | 'or' | 'xor'): Code {
  const half = (offset: number) =>
    storeVector(word(2), vector(name, loadVector(word(1), offset), loadVector(word(2), offset)), offset);
  return [...half(0), ...half(16), ...drop(1)];
}

const add: Code = [
  ...loadLimbs(1, 0),
  ...loadLimbs(2, 4),
  ...set(X[4]!, op('add64', x0, x4)),
  ...set(X[8]!, unary('extendU', op('lt64', x4, x0))),
  ...[1, 2, 3].flatMap((i) => {
    const sum = get(X[4 + i]!);
    const carried = set(X[4 + i]!, op('add64', get(X[i]!), sum));
    if (i === 3) return [...carried, ...set(X[7]!, op('add64', x7, x8))];
    return [
      ...carried,
      ...set(X[9]!, unary('extendU', op('lt64', sum, get(X[i]!)))),
      ...set(X[4 + i]!, op('add64', sum, x8)),
      ...set(X[8]!, op('or64', get(X[9]!), unary('extendU', op('lt64', sum, x8)))),
    ];
  }),
  ...storeLimbs(2, 4),
  ...drop(1),
];

const sub: Code = [
  ...loadLimbs(1, 0),
  ...loadLimbs(2, 4),
  ...set(X[8]!, unary('extendU', op('lt64', x0, x4))),
  ...set(X[4]!, op('sub64', x0, x4)),
  ...[1, 2, 3].flatMap((i) => {
    const a = get(X[i]!);
    const b = get(X[4 + i]!);
    return [
      ...set(X[9]!, unary('extendU', op('lt64', a, b))),
      ...set(X[4 + i]!, op('sub64', a, b)),
      ...set(X[10]!, unary('extendU', op('lt64', get(X[4 + i]!), x8))),
      ...set(X[4 + i]!, op('sub64', get(X[4 + i]!), x8)),
      ...set(X[8]!, op('or64', get(X[9]!), get(X[10]!))),
    ];
  }),
  ...storeLimbs(2, 4),
  ...drop(1),
];

/** a < b of the words at 1 (a) and 2 (b); the highest limbs by `high`. */
function less(first: number, second: number, high: 'lt64' | 'ltS64'): Code {
  const at = (i: number): Code => {
    const a = limb(first, i);
    const b = limb(second, i);
    const isLess = op(i === 3 ? high : 'lt64', a, b);
    return i === 0 ? isLess : op('or', isLess, op('and', op('eq64', a, b), at(i - 1)));
  };
  return at(3);
}

function test(condition: Code, pops: number): Code {
  return [...set(T, condition), ...setSmall(pops, unary('extendU', get(T))), ...drop(pops - 1)];
}

const equal: Code = unary(
  'eqz64',
  [0, 1, 2, 3].map((i) => op('xor64', limb(1, i), limb(2, i))).reduce((a, b) => op('or64', a, b)),
);
const isZero: Code = unary(
  'eqz64',
  [0, 1, 2, 3].map((i) => limb(1, i)).reduce((a, b) => op('or64', a, b)),
);

const FACTOR_MAX = i64(0x100000000n);

function multiply({ mul }: Callees): Code {
  const isSmall = op(
    'and',
    unary('eqz', op('or', isWide(1), isWide(2))),
    op('and', op('lt64', limb(1, 0), FACTOR_MAX), op('lt64', limb(2, 0), FACTOR_MAX)),
  );
  return [
    ...when(isSmall, setLimb(2, 0, op('mul64', limb(1, 0), limb(2, 0))), call(mul, word(2), word(1), word(2))),
    ...drop(1),
  ];
}

/** Divides the word at 1 by the word at 2, which is not zero; quotient or remainder goes to 2. */
function divideWords({ divide }: Callees, wantsRemainder: boolean): Code {
  return [
    ...copyWord(i32(LAYOUT.number), word(1)),
    ...store('i64', i32(LAYOUT.number), i64(0n), 32),
    ...call(divide, i32(LAYOUT.number), i32(8), word(2), i32(LAYOUT.quotient)),
    ...copyWord(word(2), i32(wantsRemainder ? LAYOUT.number : LAYOUT.quotient)),
  ];
}

const isDivisorZero: Code = unary(
  'eqz64',
  [0, 1, 2, 3].map((i) => limb(2, i)).reduce((a, b) => op('or64', a, b)),
);

function divideUnsigned(callees: Callees, wantsRemainder: boolean): Code {
  const small = setLimb(2, 0, op(wantsRemainder ? 'rem64' : 'div64', limb(1, 0), limb(2, 0)));
  return [
    ...when(
      unary('eqz', isDivisorZero),
      when(unary('eqz', op('or', isWide(1), isWide(2))), small, divideWords(callees, wantsRemainder)),
    ),
    ...drop(1),
  ];
}

/** Replaces the word at `n` by its negative. */
function negate(n: number): Code {
  return [
    ...set(X[8]!, i64(1n)),
    ...[0, 1, 2, 3].flatMap((i) => [
      ...set(X[9]!, op('add64', op('xor64', limb(n, i), i64(-1n)), x8)),
      ...set(X[8]!, op('and64', x8, unary('extendU', unary('eqz64', get(X[9]!))))),
      ...setLimb(n, i, get(X[9]!)),
    ]),
  ];
}

function divideSigned(callees: Callees, wantsRemainder: boolean): Code {
  const isNegative = (n: number) => op('ltS64', limb(n, 3), i64(0n));
  const sign = wantsRemainder ? get(T) : op('xor', get(T), get(U));
  return [
    ...when(unary('eqz', isDivisorZero), [
      ...set(T, isNegative(1)),
      ...set(U, isNegative(2)),
      ...when(get(T), negate(1)),
      ...when(get(U), negate(2)),
      ...divideWords(callees, wantsRemainder),
      ...when(sign, negate(2)),
    ]),
    ...drop(1),
  ];
}

const isModulusZero: Code = unary(
  'eqz64',
  [0, 1, 2, 3].map((i) => limb(3, i)).reduce((a, b) => op('or64', a, b)),
);

function addModulo({ divide }: Callees): Code {
  const sum = (i: number) => [
    ...set(X[9]!, op('add64', limb(1, i), limb(2, i))),
    ...set(X[10]!, unary('extendU', op('lt64', get(X[9]!), limb(1, i)))),
    ...store('i64', i32(LAYOUT.number), tee9(), 8 * i),
    ...set(X[8]!, op('or64', get(X[10]!), unary('extendU', op('lt64', get(X[9]!), x8)))),
  ];
  const tee9 = (): Code => [...set(X[9]!, op('add64', get(X[9]!), x8)), ...get(X[9]!)];
  return [
    ...when(unary('eqz', isModulusZero), [
      ...set(X[8]!, i64(0n)),
      ...[0, 1, 2, 3].flatMap(sum),
      ...store('i64', i32(LAYOUT.number), x8, 32),
      ...store('i64', i32(LAYOUT.number), i64(0n), 40),
      ...call(divide, i32(LAYOUT.number), i32(9), word(3), i32(LAYOUT.quotient)),
      ...copyWord(word(3), i32(LAYOUT.number)),
    ]),
    ...drop(2),
  ];
}

function multiplyModulo({ product, divide }: Callees): Code {
  return [
    ...when(unary('eqz', isModulusZero), [
      ...call(product, i32(LAYOUT.number), word(1), word(2)),
      ...store('i32', i32(LAYOUT.number), i32(0), 64),
      ...call(divide, i32(LAYOUT.number), i32(16), word(3), i32(LAYOUT.quotient)),
      ...copyWord(word(3), i32(LAYOUT.number)),
    ]),
    ...drop(2),
  ];
}

/** Shifts the four limbs in X[0…3] by the low bits of X[4], which is below 256. */
function shiftLimbs(kind: 'left' | 'right', fill: Code): Code {
  const move = (bit: bigint, by: number): Code => {
    const order = kind === 'left' ? [3, 2, 1, 0] : [0, 1, 2, 3];
    const source = (i: number) => (kind === 'left' ? i - by : i + by);
    const moved = order.flatMap((i) => {
      const from = source(i);
      return set(X[i]!, from >= 0 && from <= 3 ? get(X[from]!) : fill);
    });
    return when(unary('eqz', unary('eqz64', op('and64', x4, i64(bit)))), moved);
  };
  const rest = op('sub64', i64(64n), x5);
  const limbs =
    kind === 'left'
      ? [3, 2, 1, 0].flatMap((i) => {
          const high = op('shl64', get(X[i]!), x5);
          return set(X[i]!, i === 0 ? high : op('or64', high, op('shr64', get(X[i - 1]!), rest)));
        })
      : [0, 1, 2, 3].flatMap((i) => {
          const low = op('shr64', get(X[i]!), x5);
          const above = i === 3 ? fill : get(X[i + 1]!);
          return set(X[i]!, op('or64', low, op('shl64', above, rest)));
        });
  return [
    ...move(128n, 2),
    ...move(64n, 1),
    ...set(X[5]!, op('and64', x4, i64(63n))),
    ...when(unary('eqz', unary('eqz64', x5)), limbs),
  ];
}

function shift(kind: 'left' | 'right' | 'signed'): Code {
  const fill = kind === 'signed' ? x6 : i64(0n);
  const isFar = op('or', isWide(1), op('ge64', limb(1, 0), i64(256n)));
  return [
    ...set(X[6]!, kind === 'signed' ? op('shrS64', limb(2, 3), i64(63n)) : i64(0n)),
    ...when(
      isFar,
      [0, 1, 2, 3].flatMap((i) => setLimb(2, i, x6)),
      [
        ...loadLimbs(2, 0),
        ...set(X[4]!, limb(1, 0)),
        ...shiftLimbs(kind === 'left' ? 'left' : 'right', fill),
        ...storeLimbs(2, 0),
      ],
    ),
    ...drop(1),
  ];
}

/** Byte of a word, counted from the highest; bytes lie lowest first in memory. */
const byteOf: Code = [
  ...set(X[0]!, i64(0n)),
  ...when(
    unary('eqz', op('or', isWide(1), op('ge64', limb(1, 0), i64(32n)))),
    set(X[0]!, unary('extendU', load('u8', op('add', word(2), op('sub', i32(31), unary('wrap', limb(1, 0))))))),
  ),
  ...setSmall(2, x0),
  ...drop(1),
];

const signExtend: Code = [
  ...when(unary('eqz', op('or', isWide(1), op('ge64', limb(1, 0), i64(31n)))), [
    ...set(T, op('add', word(2), unary('wrap', limb(1, 0)))),
    ...set(U, select(i32(0xff), i32(0), op('ge', load('u8', get(T)), i32(0x80)))),
    ...loop(
      set(T, op('add', get(T), i32(1))),
      when(op('lt', get(T), word(1)), [...store('u8', get(T), get(U)), ...br(1)]),
    ),
  ]),
  ...drop(1),
];

/** Reverses a word's bytes on the way between the stack and a place given by a local address. */
function storeBigEndian(address: Code, n: number): Code {
  return [0, 1, 2, 3].flatMap((i) => store('i64', address, swapBytes(limb(n, i), X[0]!), 24 - 8 * i));
}

function loadBigEndian(address: Code, to: Code): Code {
  return [
    ...[0, 1, 2, 3].flatMap((i) => set(X[1 + i]!, swapBytes(load('i64', address, 24 - 8 * i), X[0]!))),
    ...[0, 1, 2, 3].flatMap((i) => store('i64', to, get(X[1 + i]!), 8 * i)),
  ];
}

const MEMORY_MAX = 3 * 1024 * 1024;

interface Case {
  readonly opcode: number;
  /** `leave`: to JavaScript, which does the operation; both take the number of blocks around the place they are used at. */
  body(next: (blocks: number) => Code, leave: (blocks: number) => Code): Code;
}

function simple(opcode: number, code: Code): Case {
  return { opcode, body: () => code };
}

/**
 * Pays for memory up to the end in T (bytes, below 2^32 by the caller's check) and `extra` energy; leaves where JavaScript
 * must decide: too much memory, too little energy or room. `nest`: blocks around.
 */
function payMemory(extra: Code, leave: (blocks: number) => Code): Code {
  const words = (size: Code) => unary('extendU', op('shrU', size, i32(5)));
  const price = (count: number) =>
    op('add64', op('mul64', get(count), i64(3n)), op('shr64', op('mul64', get(count), get(count)), i64(9n)));
  return [
    ...set(X[8]!, extra),
    ...set(T, op('and', op('add', get(T), i32(31)), i32(-32))),
    ...when(op('gt', get(T), get(SIZE)), [
      ...when(op('or', op('gt', get(T), i32(MEMORY_MAX)), op('gt', get(T), get(CAP))), leave(2)),
      ...set(X[9]!, words(get(T))),
      ...set(X[10]!, words(get(SIZE))),
      ...set(X[8]!, op('add64', x8, op('sub64', price(X[9]!), price(X[10]!)))),
    ]),
    ...spend(leave),
    ...when(op('gt', get(T), get(SIZE)), set(SIZE, get(T))),
  ];
}

/** Takes the energy in X[8], with the penalty of a hot contract; leaves where it is too much. */
function spend(leave: (blocks: number) => Code): Code {
  const penalty = get(X[11]!);
  return [
    ...set(X[11]!, i64(0n)),
    ...when(
      op('gt64', get(FACTOR), i64(10_000n)),
      set(X[11]!, op('sub64', op('div64', op('mul64', x8, get(FACTOR)), i64(10_000n)), x8)),
    ),
    ...when(op('ltS64', get(LEFT), op('add64', x8, penalty)), leave(1)),
    ...set(LEFT, op('sub64', get(LEFT), op('add64', x8, penalty))),
    ...set(USAGE, op('add64', get(USAGE), x8)),
    ...set(PENALTY, op('add64', get(PENALTY), penalty)),
  ];
}

/** Leaves unless the word at `n` is an offset below 2^22, which is beyond any memory; the offset goes to U. */
function offsetAt(n: number, leave: (blocks: number) => Code): Code {
  return [
    ...when(op('or', isWide(n), op('gt64', limb(n, 0), i64(1n << 22n))), leave(1)),
    ...set(U, unary('wrap', limb(n, 0))),
  ];
}

function cases(callees: Callees): Case[] {
  const baseCost = unary('extendU', get(ARG));
  return [
    simple(0x01, add),
    simple(0x02, multiply(callees)),
    simple(0x03, sub),
    simple(0x04, divideUnsigned(callees, false)),
    simple(0x05, divideSigned(callees, false)),
    simple(0x06, divideUnsigned(callees, true)),
    simple(0x07, divideSigned(callees, true)),
    simple(0x08, addModulo(callees)),
    simple(0x09, multiplyModulo(callees)),
    { opcode: 0x0a, body: (_, leave) => power(callees, leave) },
    simple(0x0b, signExtend),
    segment(),
    simple(0x10, test(less(1, 2, 'lt64'), 2)),
    simple(0x11, test(less(2, 1, 'lt64'), 2)),
    simple(0x12, test(less(1, 2, 'ltS64'), 2)),
    simple(0x13, test(less(2, 1, 'ltS64'), 2)),
    simple(0x14, test(equal, 2)),
    simple(0x15, test(isZero, 1)),
    simple(0x16, bitwise('and')),
    simple(0x17, bitwise('or')),
    simple(0x18, bitwise('xor')),
    simple(0x19, [
      ...storeVector(word(1), notVector(loadVector(word(1)))),
      ...storeVector(word(1), notVector(loadVector(word(1), 16)), 16),
    ]),
    simple(0x1a, byteOf),
    simple(0x1b, shift('left')),
    simple(0x1c, shift('right')),
    simple(0x1d, shift('signed')),
    { opcode: 0x20, body: (_, leave) => hash(callees, leave) },
    simple(0x35, callDataLoad()),
    simple(0x36, pushSmall(unary('extendU', get(DATALEN)))),
    simple(0x3d, pushSmall(unary('extendU', load('i32', i32(LAYOUT.registers + REGISTER.returnSize))))),
    simple(0x50, drop(1)),
    {
      opcode: 0x51,
      body: (_, leave) => [
        ...offsetAt(1, leave),
        ...set(T, op('add', get(U), i32(32))),
        ...payMemory(baseCost, leave),
        ...set(T, op('add', get(MEM), get(U))),
        ...set(U, word(1)),
        ...loadBigEndian(get(T), get(U)),
      ],
    },
    {
      opcode: 0x52,
      body: (_, leave) => [
        ...offsetAt(1, leave),
        ...set(T, op('add', get(U), i32(32))),
        ...payMemory(baseCost, leave),
        ...set(U, op('add', get(MEM), get(U))),
        ...storeBigEndian(get(U), 2),
        ...drop(2),
      ],
    },
    {
      opcode: 0x53,
      body: (_, leave) => [
        ...offsetAt(1, leave),
        ...set(T, op('add', get(U), i32(1))),
        ...payMemory(baseCost, leave),
        ...store('u8', op('add', get(MEM), get(U)), load('u8', word(2))),
        ...drop(2),
      ],
    },
    simple(0x54, call(callees.load, word(1))),
    {
      opcode: 0x55,
      body: (_, leave) => [
        ...when(get(STATIC), leave(1)),
        ...set(X[8]!, unary('extendU', call(callees.storeCost, word(1)))),
        ...spend(leave),
        ...call(callees.store, word(1)),
        ...drop(2),
      ],
    },
    jump(),
    jumpIf(),
    simple(0x59, pushSmall(unary('extendU', get(SIZE)))),
    simple(0x5a, pushSmall(op('add64', get(LEFT), get(RESERVE)))),
    simple(INSTRUCTION.pushSmall, pushSmall(unary('extendU', get(ARG)))),
    simple(INSTRUCTION.pushWord, [...copyWord(sp, get(ARG)), ...set(SP, op('add', sp, i32(32)))]),
    simple(INSTRUCTION.jumpTo, set(IP, get(ARG))),
    simple(INSTRUCTION.jumpToIf, [...set(T, isZero), ...drop(1), ...set(IP, select(get(IP), get(ARG), get(T)))]),
    simple(0x80, [...copyWord(sp, op('sub', sp, get(ARG))), ...set(SP, op('add', sp, i32(32)))]),
    simple(0x90, [
      ...set(T, op('sub', sp, get(ARG))),
      ...copyWord(sp, get(T)),
      ...copyWord(get(T), word(1)),
      ...copyWord(word(1), sp),
    ]),
  ];
}

/** Pays for a run of operations with fixed prices, and checks that the stack fits them. */
function segment(): Case {
  const row = get(T);
  const height = op('sub', sp, get(STACK));
  return {
    opcode: INSTRUCTION.segment,
    body: (_, leave) => [
      ...set(T, op('add', get(SEGS), get(ARG))),
      ...set(X[0]!, load('u32as64', row)),
      ...when(
        op(
          'or',
          op('ltS64', get(LEFT), x0),
          op('or', op('lt', height, load('i32', row, 8)), op('gtS', height, load('i32', row, 12))),
        ),
        [...set(OP, i32(FAILED_SEGMENT)), ...leave(1)],
      ),
      ...set(LEFT, op('sub64', get(LEFT), x0)),
      ...set(X[1]!, load('u32as64', row, 4)),
      ...set(USAGE, op('add64', get(USAGE), x1)),
      ...set(PENALTY, op('add64', get(PENALTY), op('sub64', x0, x1))),
    ],
  };
}

/** Sets IP from the place in X[0]; leaves where there is no destination. */
function jumpTo(leave: (blocks: number) => Code, blocks: number): Code {
  return [
    ...when(op('ge64', x0, unary('extendU', get(CODELEN))), leave(blocks + 1)),
    ...set(T, load('i32', op('add', get(JUMPS), op('shl', unary('wrap', x0), i32(2))))),
    ...when(unary('eqz', get(T)), leave(blocks + 1)),
    ...set(IP, get(T)),
  ];
}

function jump(): Case {
  return {
    opcode: 0x56,
    body: (_, leave) => [...when(isWide(1), leave(1)), ...set(X[0]!, limb(1, 0)), ...jumpTo(leave, 0), ...drop(1)],
  };
}

function jumpIf(): Case {
  const isFalse = unary(
    'eqz64',
    [0, 1, 2, 3].map((i) => limb(2, i)).reduce((a, b) => op('or64', a, b)),
  );
  return {
    opcode: 0x57,
    body: (_, leave) => [
      ...when(unary('eqz', isFalse), [...when(isWide(1), leave(2)), ...set(X[0]!, limb(1, 0)), ...jumpTo(leave, 1)]),
      ...drop(2),
    ],
  };
}

/** 32 zero bytes lie behind the data, so that a word may reach beyond its end. */
function callDataLoad(): Code {
  return [
    ...when(op('or', isWide(1), op('ge64', limb(1, 0), unary('extendU', get(DATALEN)))), setSmall(1, i64(0n)), [
      ...set(T, op('add', get(DATA), unary('wrap', limb(1, 0)))),
      ...set(U, word(1)),
      ...loadBigEndian(get(T), get(U)),
    ]),
  ];
}

function hash({ keccak }: Callees, leave: (blocks: number) => Code): Code {
  const size = unary('wrap', limb(2, 0));
  return [
    ...when(op('or', isWide(2), op('gt64', limb(2, 0), i64(1n << 22n))), leave(1)),
    ...when(
      unary('eqz64', limb(2, 0)),
      [...set(U, i32(0)), ...set(T, i32(0))],
      [
        ...when(op('or', isWide(1), op('gt64', limb(1, 0), i64(1n << 22n))), leave(2)),
        ...set(U, unary('wrap', limb(1, 0))),
        ...set(T, op('add', get(U), size)),
      ],
    ),
    ...payMemory(
      op('add64', i64(30n), op('mul64', i64(6n), op('shr64', op('add64', limb(2, 0), i64(31n)), i64(5n)))),
      leave,
    ),
    ...call(keccak, op('add', get(MEM), get(U)), size, i32(LAYOUT.hash)),
    ...drop(1),
    ...set(T, i32(LAYOUT.hash)),
    ...set(U, word(1)),
    ...loadBigEndian(get(T), get(U)),
  ];
}

/** Square and multiply; the price goes by the bytes of the exponent. */
function power({ mul }: Callees, leave: (blocks: number) => Code): Code {
  const base = i32(LAYOUT.wordA);
  const result = i32(LAYOUT.wordB);
  // Index of the highest limb with a bit, then bits in it.
  const bits = [0, 1, 2, 3].flatMap((i) =>
    when(
      unary('eqz', unary('eqz64', limb(2, i))),
      set(X[1]!, op('sub64', i64(BigInt(64 * (i + 1))), unary('clz64', limb(2, i)))),
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
    ...set(X[1]!, i64(0n)),
    ...bits,
    ...set(X[8]!, op('add64', i64(10n), op('mul64', i64(10n), op('shr64', op('add64', x1, i64(7n)), i64(3n))))),
    ...spend(leave),
    ...copyWord(base, word(1)),
    ...store('i64', result, i64(1n)),
    ...store('i64', result, i64(0n), 8),
    ...storeVector(result, ZERO_VECTOR, 16),
    ...set(T, unary('wrap', x1)),
    ...block(
      brIf(0, unary('eqz', get(T))),
      loop(
        set(T, op('sub', get(T), i32(1))),
        call(mul, result, result, result),
        when(unary('eqz', unary('eqz64', bit)), call(mul, result, result, base)),
        brIf(0, get(T)),
      ),
    ),
    ...copyWord(word(2), result),
    ...drop(1),
  ];
}

const REGISTERS: readonly (readonly [local: number, offset: number])[] = [
  [IP, REGISTER.ip],
  [SP, REGISTER.sp],
  [STACK, REGISTER.stackBase],
  [MEM, REGISTER.memoryBase],
  [SIZE, REGISTER.memorySize],
  [CAP, REGISTER.memoryCapacity],
  [DATA, REGISTER.dataBase],
  [DATALEN, REGISTER.dataLength],
  [JUMPS, REGISTER.jumpBase],
  [CODELEN, REGISTER.codeLength],
  [SEGS, REGISTER.segmentBase],
  [STATIC, REGISTER.isStatic],
];
const WIDE_REGISTERS: readonly (readonly [local: number, offset: number])[] = [
  [LEFT, REGISTER.left],
  [USAGE, REGISTER.usage],
  [PENALTY, REGISTER.penalty],
  [RESERVE, REGISTER.reserve],
];

/** run(): executes prepared code until an operation needs JavaScript; registers are taken from memory and put back there. */
export function runFunction(callees: Callees): WasmFunction {
  const all = cases(callees);
  const table = new Array<number>(256).fill(all.length);
  for (const [i, { opcode }] of all.entries()) table[opcode] = i;
  const registers = i32(LAYOUT.registers);
  // The cases lie behind each other, each at the end of the block that jumps to it; the outermost block ends the run.
  let nested: Code = brTable(get(OP), table, all.length);
  for (const [i, { body }] of all.entries()) {
    const next = (blocks: number) => br(all.length - i + blocks);
    const leave = (blocks: number) => br(all.length - 1 - i + blocks);
    nested = [...block(nested), ...body(next, leave), ...next(0)];
  }
  const fetch = [
    ...set(OP, load('i32', get(IP))),
    ...set(ARG, load('i32', get(IP), 4)),
    ...set(IP, op('add', get(IP), i32(8))),
  ];
  const body = [
    ...REGISTERS.flatMap(([local, offset]) => set(local, load('i32', registers, offset))),
    ...WIDE_REGISTERS.flatMap(([local, offset]) => set(local, unary('fromF64', load('f64', registers, offset)))),
    ...set(FACTOR, load('u32as64', registers, REGISTER.factor)),
    ...block(loop(fetch, block(nested), br(1))),
    ...[IP, SP, SIZE].flatMap((local) => {
      const offset = REGISTERS.find(([candidate]) => candidate === local)![1];
      return store('i32', registers, get(local), offset);
    }),
    ...WIDE_REGISTERS.flatMap(([local, offset]) => store('f64', registers, unary('toF64', get(local)), offset)),
    ...store('i32', registers, get(OP), REGISTER.status),
    ...store('i32', registers, get(ARG), REGISTER.operand),
  ];
  return { name: 'run', params: [], results: [], locals: LOCALS, body };
}
