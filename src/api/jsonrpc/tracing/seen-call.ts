import type { VmFailure } from '../../../state-transition/vm-error.js';

/** A log of a traced call. */
export interface SeenLog {
  /** Address of the contract, 20 bytes. All values of this log are hex with the prefix `0x`. */
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  /** Number of calls that the same program had made when it emitted this log. */
  readonly position: number;
}

/** A finished call with its nested calls. Addresses are 20 bytes in hex with the `0x` prefix. */
export interface SeenCall {
  /** Name of the opcode. The root call, which is the transaction itself, has CALL or CREATE. */
  readonly type: string;
  readonly from: string | null;
  /** Receiver of the call; null if it has no receiver. */
  readonly to: string | null;
  /** Value in SUN; undefined for `STATICCALL`. A `DELEGATECALL` has the value of its caller, but transfers nothing. */
  readonly value: bigint | undefined;
  readonly token: readonly [id: bigint, amount: bigint] | undefined;
  /** Energy limit of the call. */
  readonly gas: bigint | number;
  readonly gasUsed: bigint | number;
  readonly input: Uint8Array;
  readonly output: Uint8Array;
  /** Error text; undefined if the call succeeded. */
  readonly error: string | undefined;
  readonly failure: VmFailure | undefined;
  readonly isRevert: boolean;
  readonly isPrecompile: boolean;
  readonly calls: readonly SeenCall[];
  /** Logs of the call. Empty if this call or an enclosing call failed. */
  readonly logs: readonly SeenLog[];
}

/** Returns true for a failed CREATE or CREATE2: no contract exists at its address. */
export function isFailedCreation({ type, error }: Pick<SeenCall, 'type' | 'error'>): boolean {
  return type.startsWith('CREATE') && error !== undefined;
}
