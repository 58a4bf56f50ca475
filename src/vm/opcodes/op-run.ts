import type { CallFrame } from '../machine/frame.js';
import type { Machine } from '../machine/machine.js';

/** Does an operation. @throws {VmError} */
export type Run = (run: OpRun) => void;

/** What an operation sees of the run that it is part of, whichever interpreter runs it. */
export interface OpRun {
  readonly machine: Machine;
  readonly frame: CallFrame;
  /** Place in the code. */
  readonly pc: number;
  /** Name of the operation, for refusals. */
  readonly name: string;
  isStopped: boolean;
  /** Of the call under way: what it gets, and the penalty on its price. */
  callEnergy: number;
  callPenalty: number;
  /** The word `depth` places below the top. */
  peek(depth: number): bigint;
  pop(): bigint;
  /** Pops a word as 32 bytes. */
  popBytes(): Uint8Array;
  push(word: bigint): void;
  pushBoolean(value: boolean): void;
  /** Pops a word as a non-negative int; what does not fit is the greatest one. Reference: DataWord.intValueSafe. */
  popInt(): number;
  /** Pops a word; what Java's int keeps of it. */
  popInt32(): number;
  load(slot: bigint): bigint;
  /** Whether the slot has a row, be it of zeros. */
  isStored(slot: bigint): boolean;
  store(slot: bigint, value: bigint): void;
}
