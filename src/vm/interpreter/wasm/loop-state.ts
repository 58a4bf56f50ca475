import { type Code, I32, I64 } from '../../../crypto/wasm/assembler.js';

/** Numbers of the functions that the loop calls. */
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

// Locals of the loop: 32 bits wide (addresses, lengths), then 64 bits wide.

/** Place of the next instruction. */
export const IP = 0;
/** Where the next word is pushed. */
export const SP = 1;
/** Its lowest word. */
export const STACK = 2;
/** Memory of the program. */
export const MEM = 3;
/** Bytes of it that are paid for. */
export const SIZE = 4;
/** Bytes of it that there is room for. */
export const CAP = 5;
/** Input of the call. */
export const DATA = 6;
export const DATALEN = 7;
/** Table of jump destinations. */
export const JUMPS = 8;
export const CODELEN = 9;
/** Table of segments. */
export const SEGS = 10;
/** Whether nothing may be written. */
export const STATIC = 11;
/** The instruction under way. */
export const OP = 12;
/** Its operand. */
export const ARG = 13;
/** For operations to use as they like. */
export const T = 14;
export const DIVISOR = 15;
/** Energy left in this slice. */
export const LEFT = 16;
/** Energy that counts towards heat. */
export const USAGE = 17;
/** Energy paid above the price, by a hot contract. */
export const PENALTY = 18;
/** Energy behind this slice. */
export const RESERVE = 19;
/** Price of a hot contract, in ten-thousandths. */
export const FACTOR = 20;
/** For operations to use as they like: limbs of words, most of all. */
export const X = [21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32] as const;
export const LOCALS = [...new Array<number>(16).fill(I32), ...new Array<number>(17).fill(I64)];

/** An instruction, and the code that does it. */
export interface Case {
  readonly opcode: number;
  /** What follows may not be paid with it: the energy that is left shows, or the way goes elsewhere. */
  readonly endsSegment?: true;
  /**
   * `leave`: to JavaScript, which does the operation; both take the number of blocks around the place they are used at.
   */
  body(next: (blocks: number) => Code, leave: (blocks: number) => Code): Code;
}

export function simple(opcode: number, code: Code): Case {
  return { opcode, body: () => code };
}
