import type { PlainRun } from '../interpreter/plain-run.js';
import type { CallRequest } from '../opcodes/call-contract.js';
import type { Frame } from './frame.js';

/**
 * Who watches a run: struct logs and call trees. Only the plain interpreter, which a watched run uses, knows of it. What a watcher
 * throws ends the run, whose caller takes its effects back.
 */
export interface VmHooks {
  /** Before each operation, with stack and memory as it finds them; its price is not known yet. */
  step?(run: PlainRun, pc: number, opcode: number): void;
  /** The operation is paid for, with the energy that it gives to a call, and comes next: memory that it needs may be read. */
  paid?(run: PlainRun): void;
  /** A program makes a call; `enter` follows when there is code to run. */
  calling?(caller: Frame, request: CallRequest): void;
  /** That call is over. @param isSuccess what its caller is told */
  called?(caller: Frame, isSuccess: boolean): void;
  /** A call or creation begins. @param kind name of the opcode; CALL or CREATE for the transaction itself */
  enter?(frame: Frame, kind: string): void;
  leave?(frame: Frame): void;
}
