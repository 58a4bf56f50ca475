import {
  block,
  br,
  brTable,
  type Code,
  callFunction,
  get,
  i32,
  i64,
  load,
  loop,
  op,
  select,
  set,
  storeAt,
  unary,
  type WasmFunction,
  when,
} from '../../../crypto/wasm/assembler.js';
import { present } from '../../../primitives/assert.js';
import { INSTRUCTION, LAYOUT, REGISTER } from './layout.js';
import { segment, spend } from './loop-energy.js';
import { callDataLoad, hash, memoryCases } from './loop-memory.js';
import { rangeCases } from './loop-ranges.js';
import {
  ARG,
  CAP,
  type Callees,
  type Case,
  CODELEN,
  DATA,
  DATALEN,
  FACTOR,
  IP,
  JUMPS,
  LEFT,
  LOCALS,
  MEM,
  OP,
  PENALTY,
  RESERVE,
  SEGS,
  SIZE,
  SP,
  STACK,
  STATIC,
  simple,
  T,
  USAGE,
  X,
} from './loop-state.js';
import { copyWord, drop, isWide, isZeroAt, limb, pushSmall, sp, word, x0 } from './stack-words.js';
import {
  add,
  addModulo,
  divideSigned,
  divideUnsigned,
  multiply,
  multiplyModulo,
  power,
  sub,
} from './word-arithmetic.js';
import { bitwise, byteOf, equal, leadingZeros, lessWords, not, shift, signExtend, test } from './word-bits.js';

/**
 * Builds `run()`: executes prepared code until an operation needs JavaScript or a segment cannot start. `run()` first
 * loads the registers from memory, and stores them in memory before it returns.
 */
export function runFunction(callees: Callees): WasmFunction {
  const all = cases(callees);
  const table = new Array<number>(256).fill(all.length);
  for (const [i, { opcode }] of all.entries()) table[opcode] = i;
  const registers = i32(LAYOUT.registers);
  // A WebAssembly branch continues at the end of a block, so the code of each case follows its block. A branch out of
  // the outermost block ends `run()`.
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
      const [, offset] = present(
        REGISTERS.find(([candidate]) => candidate === local),
        'IP, SP and SIZE are registers',
      );
      return storeAt('i32', registers, get(local), offset);
    }),
    ...WIDE_REGISTERS.flatMap(([local, offset]) => storeAt('f64', registers, unary('toF64', get(local)), offset)),
    ...storeAt('i32', registers, get(OP), REGISTER.status),
    ...storeAt('i32', registers, get(ARG), REGISTER.operand),
  ];
  return { name: 'run', params: [], results: [], locals: LOCALS, body };
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

/** An opcode that has a case in the loop. All other opcodes exit to JavaScript. */
interface LoopOpcode {
  readonly opcode: number;
  readonly endsSegment: boolean;
}

export function opcodesInLoop(): LoopOpcode[] {
  const callees = {
    load: 0,
    storeCost: 0,
    store: 0,
    keccak: 0,
    mul: 0,
    product: 0,
    divide: 0,
    square: 0,
    divideSmall: 0,
    reduce: 0,
  };
  const own: readonly number[] = Object.values(INSTRUCTION);
  return cases(callees)
    .filter(({ opcode }) => !own.includes(opcode))
    .map(({ opcode, endsSegment = false }) => ({ opcode, endsSegment }));
}

/**
 * Returns all instructions of the loop. Operations with a fixed price charge no energy themselves, because their
 * segment has already charged it.
 */
function cases(callees: Callees): Case[] {
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
    simple(0x10, test(lessWords(1, 2, 'lt64'), 2)),
    simple(0x11, test(lessWords(2, 1, 'lt64'), 2)),
    simple(0x12, test(lessWords(1, 2, 'ltS64'), 2)),
    simple(0x13, test(lessWords(2, 1, 'ltS64'), 2)),
    simple(0x14, test(equal, 2)),
    simple(0x15, test(isZeroAt(1), 1)),
    simple(0x16, bitwise('and')),
    simple(0x17, bitwise('or')),
    simple(0x18, bitwise('xor')),
    simple(0x19, not),
    simple(0x1a, byteOf),
    simple(0x1b, shift('left')),
    simple(0x1c, shift('right')),
    simple(0x1d, shift('signed')),
    simple(0x1e, leadingZeros),
    { opcode: 0x20, body: (_, leave) => hash(callees, leave) },
    { opcode: 0x34, body: (_, leave) => callValue(leave) },
    simple(0x35, callDataLoad()),
    simple(0x36, pushSmall(unary('extendU', get(DATALEN)))),
    simple(0x3d, pushSmall(unary('extendU', load('i32', i32(LAYOUT.registers + REGISTER.returnSize))))),
    simple(0x50, drop(1)),
    ...memoryCases(),
    ...rangeCases(),
    simple(0x54, callFunction(callees.load, word(1))),
    {
      opcode: 0x55,
      body: (_, leave) => [
        ...when(get(STATIC), leave(1)),
        ...set(X[8], unary('extendU', callFunction(callees.storeCost, word(1)))),
        ...spend(leave),
        ...callFunction(callees.store, word(1)),
        ...drop(2),
      ],
    },
    jump(),
    jumpIf(),
    simple(0x59, pushSmall(unary('extendU', get(SIZE)))),
    { ...simple(0x5a, pushSmall(op('add64', get(LEFT), get(RESERVE)))), endsSegment: true },
    simple(INSTRUCTION.pushSmall, pushSmall(unary('extendU', get(ARG)))),
    simple(INSTRUCTION.pushWord, [...copyWord(sp, get(ARG)), ...set(SP, op('add', sp, i32(32)))]),
    simple(INSTRUCTION.jumpTo, set(IP, get(ARG))),
    simple(INSTRUCTION.jumpToIf, [...set(T, isZeroAt(1)), ...drop(1), ...set(IP, select(get(IP), get(ARG), get(T)))]),
    simple(INSTRUCTION.duplicate, [...copyWord(sp, op('sub', sp, get(ARG))), ...set(SP, op('add', sp, i32(32)))]),
    simple(INSTRUCTION.swap, [
      ...set(T, op('sub', sp, get(ARG))),
      ...copyWord(sp, get(T)),
      ...copyWord(get(T), word(1)),
      ...copyWord(word(1), sp),
    ]),
  ];
}

function callValue(leave: (blocks: number) => Code): Code {
  return [
    ...set(X[0], unary('fromF64', load('f64', i32(LAYOUT.registers), REGISTER.callValue))),
    ...when(op('ltS64', x0, i64(0n)), leave(1)),
    ...pushSmall(x0),
  ];
}

function jump(): Case {
  return {
    opcode: 0x56,
    endsSegment: true,
    body: (_, leave) => [...when(isWide(1), leave(1)), ...set(X[0], limb(1, 0)), ...jumpTo(leave, 0), ...drop(1)],
  };
}

function jumpIf(): Case {
  return {
    opcode: 0x57,
    endsSegment: true,
    body: (_, leave) => [
      ...when(unary('eqz', isZeroAt(2)), [...when(isWide(1), leave(2)), ...set(X[0], limb(1, 0)), ...jumpTo(leave, 1)]),
      ...drop(2),
    ],
  };
}

/**
 * Returns code that continues at the code offset in the scratch local X[0]. The code exits to JavaScript if the offset
 * is not a jump destination.
 */
function jumpTo(leave: (blocks: number) => Code, blocks: number): Code {
  return [
    ...when(op('ge64', x0, unary('extendU', get(CODELEN))), leave(blocks + 1)),
    ...set(T, load('i32', op('add', get(JUMPS), op('shl', unary('wrap', x0), i32(2))))),
    ...when(unary('eqz', get(T)), leave(blocks + 1)),
    ...set(IP, get(T)),
  ];
}
