import {
  type Code,
  copyMemoryBytes,
  fillBytes,
  get,
  i32,
  i64,
  load,
  op,
  select,
  set,
  unary,
  when,
} from '../../../crypto/wasm/assembler.js';
import { COPY_WORD, LOG, LOG_BYTE, LOG_TOPIC } from '../../opcodes/prices.js';
import { LAYOUT, PAID, REGISTER } from './layout.js';
import { energy, payMemory } from './loop-energy.js';
import { type Case, CODELEN, DATA, DATALEN, DIVISOR, MEM, OP, T } from './loop-state.js';
import { drop, isWide, limb } from './stack-words.js';

/** Returns the cases of operations on a memory range that stack words define: copies, logs, RETURN and REVERT. */
export function rangeCases(): Case[] {
  const codeBase = load('i32', i32(LAYOUT.registers + REGISTER.codeBase));
  return [
    { opcode: 0x37, body: (_, leave) => copy({ base: get(DATA), length: get(DATALEN) }, leave) },
    { opcode: 0x39, body: (_, leave) => copy({ base: codeBase, length: get(CODELEN) }, leave) },
    ...[0, 1, 2, 3, 4].map((topics): Case => {
      const price = op('add64', energy(LOG + topics * LOG_TOPIC), op('mul64', energy(LOG_BYTE), limb(2, 0)));
      return { opcode: 0xa0 + topics, body: (_, leave) => paid(price, leave) };
    }),
    { opcode: 0xf3, body: (_, leave) => paid(energy(0), leave) },
    { opcode: 0xfd, body: (_, leave) => paid(energy(0), leave) },
  ];
}

/**
 * Maximum memory offset and size, in bytes, that the loop handles. It is above the maximum memory of a program
 * (`MEMORY_MAX`).
 */
const FAR = i64(1n << 22n);

/**
 * Returns code that reads a memory range. Stack word 1 is its offset, stack word `size` is its size. The code writes
 * the offset to DIVISOR and the end to T, both 0 for an empty range. The code exits to JavaScript if the size is above
 * `FAR`, or if the range is not empty and its offset is above `FAR`.
 */
export function rangeAt(size: number, leave: (blocks: number) => Code): Code {
  const isFar = (n: number) => op('or', isWide(n), op('gt64', limb(n, 0), FAR));
  return [
    ...when(isFar(size), leave(1)),
    ...when(
      unary('eqz64', limb(size, 0)),
      [...set(DIVISOR, i32(0)), ...set(T, i32(0))],
      [
        ...when(isFar(1), leave(2)),
        ...set(DIVISOR, unary('wrap', limb(1, 0))),
        ...set(T, op('add', get(DIVISOR), unary('wrap', limb(size, 0)))),
      ],
    ),
  ];
}

/**
 * Returns code that charges an operation on a memory range, and then exits to JavaScript, which executes the
 * operation.
 */
function paid(price: Code, leave: (blocks: number) => Code): Code {
  return [...rangeAt(2, leave), ...payMemory(price, leave), ...set(OP, op('or', get(OP), i32(PAID))), ...leave(0)];
}

/**
 * Returns code that copies from a source to memory. Stack word 1 is the memory offset, word 2 the source offset, word 3
 * the size. Bytes past the end of the source are zero.
 */
function copy(source: { base: Code; length: Code }, leave: (blocks: number) => Code): Code {
  const size = unary('wrap', limb(3, 0));
  const from = unary('wrap', limb(2, 0));
  const to = op('add', get(MEM), get(DIVISOR));
  const rest = op('sub', source.length, from);
  const words = op('shr64', op('add64', limb(3, 0), i64(31n)), i64(5n));
  return [
    ...rangeAt(3, leave),
    ...payMemory(op('mul64', energy(COPY_WORD), words), leave),
    ...when(
      op('or', isWide(2), op('ge64', limb(2, 0), unary('extendU', source.length))),
      set(T, i32(0)),
      set(T, select(rest, size, op('lt', rest, size))),
    ),
    ...when(get(T), copyMemoryBytes(to, op('add', source.base, from), get(T))),
    ...when(op('lt', get(T), size), fillBytes(op('add', to, get(T)), i32(0), op('sub', size, get(T)))),
    ...drop(3),
  ];
}
