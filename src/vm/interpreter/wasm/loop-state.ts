import { type Code, I32, I64 } from '../../../crypto/wasm/assembler.js';

/** Indexes of the WebAssembly functions that the loop calls. */
export interface Callees {
  readonly load: number;
  readonly storeCost: number;
  readonly store: number;
  readonly keccak: number;
  readonly mul: number;
  readonly product: number;
  readonly divide: number;
  readonly square: number;
  readonly divideSmall: number;
  readonly reduce: number;
}

// Indexes of the loop's WebAssembly locals. Locals 0 to 15 have 32 bits (addresses, lengths), the others 64 bits.

/** Address of the next instruction. */
export const IP = 0;
/** Address at which the next push writes a word. */
export const SP = 1;
/** Address of the lowest word of the stack. */
export const STACK = 2;
/** Address of the program's memory. */
export const MEM = 3;
/** Size of the program's memory in bytes, as MSIZE returns it. The program has paid for this size. */
export const SIZE = 4;
/** Size in bytes up to which the program's memory can grow without growing the linear memory. */
export const CAP = 5;
/** Address of the call data. */
export const DATA = 6;
export const DATALEN = 7;
/** Address of the table of jump destinations. */
export const JUMPS = 8;
export const CODELEN = 9;
/** Address of the table of segments. */
export const SEGS = 10;
/** 1 in a static call, else 0. */
export const STATIC = 11;
/** The current instruction. */
export const OP = 12;
/** Operand of the current instruction. */
export const ARG = 13;
/** Scratch locals of operations. */
export const T = 14;
export const DIVISOR = 15;
/**
 * Remaining energy of the current slice. After each slice of energy, JavaScript checks the time limit; see `SLICE` in
 * `wasm-run.ts`.
 */
export const LEFT = 16;
/** Energy used by this call without penalties. It is added to the contract's dynamic energy usage. */
export const USAGE = 17;
/** Dynamic energy penalty that this call has paid. */
export const PENALTY = 18;
/** Remaining energy of the call, without the current slice. */
export const RESERVE = 19;
/** Local with the energy factor of the contract, in units of 1/10000. */
export const FACTOR = 20;
/** Scratch locals of operations, usually for limbs of words. */
export const X = [21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32] as const;
export const LOCALS = [...new Array<number>(16).fill(I32), ...new Array<number>(17).fill(I64)];

/** An instruction, and the WebAssembly code that executes it. */
export interface Case {
  readonly opcode: number;
  /** True if the segment must end with this operation, because the operation jumps or reads the remaining energy. */
  readonly endsSegment?: true;
  /**
   * Returns the code of the instruction. `next` returns code that continues with the next instruction. `leave`
   * returns code that exits to JavaScript, which executes the operation. The argument of both functions is the number
   * of WebAssembly blocks that this instruction has opened around the returned code.
   */
  body(next: (blocks: number) => Code, leave: (blocks: number) => Code): Code;
}

export function simple(opcode: number, code: Code): Case {
  return { opcode, body: () => code };
}
