import type { CallFrame } from '../machine/frame.js';
import type { Machine } from '../machine/machine.js';

/** Executes an operation. @throws {VmError} */
export type Run = (run: OpRun) => void;

/** The part of a run that operations use. Both interpreters implement it. */
export interface OpRun {
  readonly machine: Machine;
  readonly frame: CallFrame;
  /** Offset of the current operation in the code. */
  readonly pc: number;
  /** Name of the operation, for error texts. */
  readonly name: string;
  isStopped: boolean;
  /**
   * Set by the price function of a call operation: the energy that the called program gets, and the dynamic energy
   * penalty in the price.
   */
  callEnergy: number;
  callPenalty: number;
  /** Returns the word `depth` positions below the top. */
  peek(depth: number): bigint;
  pop(): bigint;
  /** Pops a word as 32 bytes. */
  popBytes(): Uint8Array;
  push(word: bigint): void;
  pushBoolean(value: boolean): void;
  /** Pops a word as a non-negative int. A greater word becomes 2^31 - 1. Reference: DataWord.intValueSafe. */
  popInt(): number;
  /** Pops a word. Returns its low 32 bits as a signed int. */
  popInt32(): number;
  load(slot: bigint): bigint;
  /** Returns true if the slot has a row, even if its value is zero. */
  isStored(slot: bigint): boolean;
  store(slot: bigint, value: bigint): void;
}
