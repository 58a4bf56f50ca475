import { type Code, get, i32, i64, load, op, set, unary, when } from '../../../crypto/wasm/assembler.js';
import { MEMORY_MAX, MEMORY_SQUARE_BITS, MEMORY_WORD } from '../../opcodes/prices.js';
import { FAILED_SEGMENT, INSTRUCTION } from './layout.js';
import {
  ARG,
  CAP,
  type Case,
  DIVISOR,
  FACTOR,
  LEFT,
  OP,
  PENALTY,
  SEGS,
  SIZE,
  STACK,
  T,
  USAGE,
  X,
} from './loop-state.js';
import { isWide, limb, sp, x0, x1, x8 } from './stack-words.js';

/**
 * Returns the case that charges the energy of a segment. It exits to JavaScript if the energy or the stack height
 * does not allow the segment.
 */
export function segment(): Case {
  const row = get(T);
  const height = op('sub', sp, get(STACK));
  return {
    opcode: INSTRUCTION.segment,
    body: (_, leave) => [
      ...set(T, op('add', get(SEGS), get(ARG))),
      ...set(X[0], load('u32as64', row)),
      ...when(
        op(
          'or',
          op('ltS64', get(LEFT), x0),
          op('or', op('lt', height, load('i32', row, 8)), op('gtS', height, load('i32', row, 12))),
        ),
        [...set(OP, i32(FAILED_SEGMENT)), ...leave(1)],
      ),
      ...set(LEFT, op('sub64', get(LEFT), x0)),
      ...set(X[1], load('u32as64', row, 4)),
      ...set(USAGE, op('add64', get(USAGE), x1)),
      ...set(PENALTY, op('add64', get(PENALTY), op('sub64', x0, x1))),
    ],
  };
}

/** Returns WebAssembly code that pushes a price as a 64-bit constant. */
export function energy(price: number): Code {
  return i64(BigInt(price));
}

/**
 * Returns code that charges `extra` energy, and the energy for growing the memory to the end offset in the scratch
 * local T. The caller has checked that T is below 2^32. The code exits to JavaScript if the end offset exceeds the
 * maximum memory, or if energy or allocated memory is not sufficient.
 */
export function payMemory(extra: Code, leave: (blocks: number) => Code): Code {
  const words = (size: Code) => unary('extendU', op('shrU', size, i32(5)));
  const price = (count: number) =>
    op(
      'add64',
      op('mul64', get(count), energy(MEMORY_WORD)),
      op('shr64', op('mul64', get(count), get(count)), energy(MEMORY_SQUARE_BITS)),
    );
  return [
    ...set(X[8], extra),
    ...set(T, op('and', op('add', get(T), i32(31)), i32(-32))),
    ...when(op('gt', get(T), get(SIZE)), [
      ...when(op('or', op('gt', get(T), i32(MEMORY_MAX)), op('gt', get(T), get(CAP))), leave(2)),
      ...set(X[9], words(get(T))),
      ...set(X[10], words(get(SIZE))),
      ...set(X[8], op('add64', x8, op('sub64', price(X[9]), price(X[10])))),
    ]),
    ...spend(leave),
    ...when(op('gt', get(T), get(SIZE)), set(SIZE, get(T))),
  ];
}

/**
 * Returns code that charges the energy in the scratch local X[8], plus the dynamic energy penalty. The code exits to
 * JavaScript if the energy is not sufficient.
 */
export function spend(leave: (blocks: number) => Code): Code {
  const penalty = get(X[11]);
  return [
    ...set(X[11], i64(0n)),
    ...when(
      op('gt64', get(FACTOR), i64(10_000n)),
      set(X[11], op('sub64', op('div64', op('mul64', x8, get(FACTOR)), i64(10_000n)), x8)),
    ),
    ...when(op('ltS64', get(LEFT), op('add64', x8, penalty)), leave(1)),
    ...set(LEFT, op('sub64', get(LEFT), op('add64', x8, penalty))),
    ...set(USAGE, op('add64', get(USAGE), x8)),
    ...set(PENALTY, op('add64', get(PENALTY), penalty)),
  ];
}

/**
 * Returns code that copies the memory offset in stack word `n` to the scratch local DIVISOR. The code exits to
 * JavaScript if the offset is above 2^22, which is more than the maximum memory of a program (`MEMORY_MAX`).
 */
export function offsetAt(n: number, leave: (blocks: number) => Code): Code {
  return [
    ...when(op('or', isWide(n), op('gt64', limb(n, 0), i64(1n << 22n))), leave(1)),
    ...set(DIVISOR, unary('wrap', limb(n, 0))),
  ];
}
