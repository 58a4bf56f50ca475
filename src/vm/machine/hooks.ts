import type { Address } from '../../primitives/address.js';
import type { VmAccounts } from '../../state-transition/balances/accounts.js';
import type { CallRequest } from './call-request.js';
import type { CallFrame } from './frame.js';
import type { RuleSet } from './rule-set.js';

/** Read-only view of the machine for a tracer. */
export interface WatchedMachine {
  readonly rules: RuleSet;
  readonly accounts: Pick<VmAccounts, 'balance'>;
  /** Returns the address in a word. */
  addressOf(word: bigint): Address;
}

/** Read-only view of the running program before an operation. */
export interface WatchedRun {
  readonly machine: WatchedMachine;
  readonly frame: CallFrame;
  readonly opcode: number;
  /** Stack words, from the lowest to the top. */
  readonly stack: readonly bigint[];
  /** Returns the word `depth` positions below the top. */
  peek(depth: number): bigint;
  /** Returns the value of a storage slot. */
  load(slot: bigint): bigint;
}

/**
 * Callbacks of a tracer (struct logs and call trees). Only the plain interpreter calls them, so traced transactions
 * run in the plain interpreter. If a callback throws an error, the run ends with this error, and the caller of the
 * run reverts the effects.
 */
export interface VmHooks {
  /**
   * Called before each operation. Stack and memory are in their state before the operation. The price of the operation
   * is not known yet.
   */
  step?(run: WatchedRun, pc: number, opcode: number): void;
  /**
   * Called before the operation executes, after its energy and the energy of an inner call are charged. The memory that
   * the operation uses is already allocated and can be read.
   */
  paid?(run: WatchedRun): void;
  /** Called when a program makes a call. If the callee has code, `enter` is called next. */
  calling?(caller: CallFrame, request: CallRequest): void;
  /** Called when a call has ended. @param isSuccess result that the caller's program receives */
  called?(caller: CallFrame, isSuccess: boolean): void;
  /**
   * Called when the program of a call or creation starts.
   * @param kind opcode name; CALL or CREATE for the transaction itself
   */
  enter?(frame: CallFrame, kind: string): void;
  leave?(frame: CallFrame): void;
}
