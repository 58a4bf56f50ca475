import type { Address } from '../../primitives/address.js';
import type { VmAccounts } from '../../state-transition/balances/accounts.js';
import type { CallRequest } from './call-request.js';
import type { CallFrame } from './frame.js';
import type { RuleSet } from './rule-set.js';

/** What a watcher may ask of the machine. For reading only. */
export interface WatchedMachine {
  readonly rules: RuleSet;
  readonly accounts: Pick<VmAccounts, 'balance'>;
  /** Address that a word names. */
  addressOf(word: bigint): Address;
}

/** The program that runs, before an operation. For reading only. */
export interface WatchedRun {
  readonly machine: WatchedMachine;
  readonly frame: CallFrame;
  readonly opcode: number;
  /** Words, the lowest first. */
  readonly stack: readonly bigint[];
  /** The word `depth` places below the top. */
  peek(depth: number): bigint;
  /** What a slot of its storage holds. */
  load(slot: bigint): bigint;
}

/**
 * Who watches a run: struct logs and call trees. Only the plain interpreter, which a watched run uses, knows of it.
 * What a watcher throws ends the run, whose caller takes its effects back.
 */
export interface VmHooks {
  /** Before each operation, with stack and memory as it finds them; its price is not known yet. */
  step?(run: WatchedRun, pc: number, opcode: number): void;
  /**
   * The operation is paid for, with the energy that it gives to a call, and comes next: memory that it needs may be
   * read.
   */
  paid?(run: WatchedRun): void;
  /** A program makes a call; `enter` follows when there is code to run. */
  calling?(caller: CallFrame, request: CallRequest): void;
  /** That call is over. @param isSuccess what its caller is told */
  called?(caller: CallFrame, isSuccess: boolean): void;
  /** A call or creation begins. @param kind name of the opcode; CALL or CREATE for the transaction itself */
  enter?(frame: CallFrame, kind: string): void;
  leave?(frame: CallFrame): void;
}
