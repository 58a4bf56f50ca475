import {
  type Code,
  callFunction,
  get,
  i32,
  i64,
  load,
  op,
  set,
  storeAt,
  unary,
  when,
} from '../../../crypto/wasm/assembler.js';
import { SHA3, SHA3_WORD } from '../../opcodes/prices.js';
import { LAYOUT } from './layout.js';
import { energy, offsetAt, payMemory } from './loop-energy.js';
import { rangeAt } from './loop-ranges.js';
import { ARG, type Callees, type Case, DATA, DATALEN, DIVISOR, MEM, T } from './loop-state.js';
import { drop, isWide, limb, loadBigEndian, setSmall, storeBigEndian, word } from './stack-words.js';

/** Returns the cases of MLOAD, MSTORE and MSTORE8. */
export function memoryCases(): Case[] {
  const baseCost = unary('extendU', get(ARG));
  return [
    {
      opcode: 0x51,
      body: (_, leave) => [
        ...offsetAt(1, leave),
        ...set(T, op('add', get(DIVISOR), i32(32))),
        ...payMemory(baseCost, leave),
        ...set(T, op('add', get(MEM), get(DIVISOR))),
        ...set(DIVISOR, word(1)),
        ...loadBigEndian(get(T), get(DIVISOR)),
      ],
    },
    {
      opcode: 0x52,
      body: (_, leave) => [
        ...offsetAt(1, leave),
        ...set(T, op('add', get(DIVISOR), i32(32))),
        ...payMemory(baseCost, leave),
        ...set(DIVISOR, op('add', get(MEM), get(DIVISOR))),
        ...storeBigEndian(get(DIVISOR), 2),
        ...drop(2),
      ],
    },
    {
      opcode: 0x53,
      body: (_, leave) => [
        ...offsetAt(1, leave),
        ...set(T, op('add', get(DIVISOR), i32(1))),
        ...payMemory(baseCost, leave),
        ...storeAt('u8', op('add', get(MEM), get(DIVISOR)), load('u8', word(2))),
        ...drop(2),
      ],
    },
  ];
}

/**
 * Returns code for CALLDATALOAD. The loaded word may extend past the end of the call data, because 32 zero bytes
 * follow the data.
 */
export function callDataLoad(): Code {
  return [
    ...when(op('or', isWide(1), op('ge64', limb(1, 0), unary('extendU', get(DATALEN)))), setSmall(1, i64(0n)), [
      ...set(T, op('add', get(DATA), unary('wrap', limb(1, 0)))),
      ...set(DIVISOR, word(1)),
      ...loadBigEndian(get(T), get(DIVISOR)),
    ]),
  ];
}

export function hash({ keccak }: Callees, leave: (blocks: number) => Code): Code {
  const size = unary('wrap', limb(2, 0));
  return [
    ...rangeAt(2, leave),
    ...payMemory(
      op(
        'add64',
        energy(SHA3),
        op('mul64', energy(SHA3_WORD), op('shr64', op('add64', limb(2, 0), i64(31n)), i64(5n))),
      ),
      leave,
    ),
    ...callFunction(keccak, op('add', get(MEM), get(DIVISOR)), size, i32(LAYOUT.hash)),
    ...drop(1),
    ...set(T, i32(LAYOUT.hash)),
    ...set(DIVISOR, word(1)),
    ...loadBigEndian(get(T), get(DIVISOR)),
  ];
}
