import type { VmFailure } from '../../../state-transition/vm-error.js';

export interface SeenLog {
  /** 20 bytes in hex, as topics and data behind 0x. */
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  /** Calls of the same program before it. */
  readonly position: number;
}

/** A call that is over, with those inside it. Addresses are 20 bytes in hex behind 0x. */
export interface SeenCall {
  /** Name of the opcode; CALL or CREATE for the transaction itself. */
  readonly type: string;
  readonly from: string | null;
  /** Null for what is for nobody. */
  readonly to: string | null;
  /** TRX in SUN; undefined for calls that cannot have one. */
  readonly value: bigint | undefined;
  readonly token: readonly [id: bigint, amount: bigint] | undefined;
  /** Energy that it was given, and used. */
  readonly gas: bigint | number;
  readonly gasUsed: bigint | number;
  readonly input: Uint8Array;
  readonly output: Uint8Array;
  /** Undefined where it ended well. */
  readonly error: string | undefined;
  readonly failure: VmFailure | undefined;
  readonly isRevert: boolean;
  readonly isPrecompile: boolean;
  readonly calls: readonly SeenCall[];
  /** What it told, if that came to stay. */
  readonly logs: readonly SeenLog[];
}
