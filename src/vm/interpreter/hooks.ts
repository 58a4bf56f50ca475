import type { Frame } from './frame.js';
import type { PlainRun } from './plain-run.js';

/** Who watches a run: struct logs and call trees. Only the plain interpreter, which a watched run uses, knows of it. */
export interface VmHooks {
  /** Before each operation, with stack and memory as it finds them. @param cost undefined: it is not known before it fails */
  step?(run: PlainRun, pc: number, opcode: number): void;
  /** A call or creation begins. @param kind name of the opcode; CALL or CREATE for the transaction itself */
  enter?(frame: Frame, kind: string): void;
  leave?(frame: Frame): void;
}
