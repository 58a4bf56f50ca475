import type { CallFrame } from '../machine/frame.js';
import type { Machine } from '../machine/machine.js';

/** Executes an operation whose price is already charged. @throws {VmError} the operation fails */
export type Run = (run: OpRun) => void;

/** A running program, as the functions of opcodes use it. Both interpreters implement this interface. */
export interface OpRun {
  readonly machine: Machine;
  readonly frame: CallFrame;
  /** Offset of the current operation in the code. */
  readonly pc: number;
  /** Name of the operation, for error texts. */
  readonly name: string;
  isStopped: boolean;
  /** Energy that the called program gets. Set by the price function of a call operation. */
  callEnergy: number;
  /** Dynamic energy penalty in the price of a call. Set by the price function of a call operation. */
  callPenalty: number;
  /** Returns the word `depth` positions below the top of the stack. */
  peek(depth: number): bigint;
  pop(): bigint;
  /** Pops a word as 32 bytes. */
  popBytes(): Uint8Array;
  push(word: bigint): void;
  pushBoolean(value: boolean): void;
  /**
   * Pops a word and returns it as a non-negative int. A word above 2^31 − 1 becomes 2^31 − 1. Reference:
   * DataWord.intValueSafe.
   */
  popInt(): number;
  /** Pops a word and returns its low 32 bits as a signed int. */
  popInt32(): number;
  load(slot: bigint): bigint;
  /** Returns true if the storage slot has a row, even if the value in the row is zero. */
  isStored(slot: bigint): boolean;
  store(slot: bigint, value: bigint): void;
}
