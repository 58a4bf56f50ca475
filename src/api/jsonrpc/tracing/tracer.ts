import type { Mark } from '../../../state-transition/state/journal.js';
import type { State } from '../../../state-transition/state/state.js';
import type { VmHooks } from '../../../vm/machine/hooks.js';

/** Outcome of a traced transaction or call. */
export interface TracedOutcome {
  readonly energyUsed: bigint;
  readonly isFailed: boolean;
  /** Text of the failure; null on success. */
  readonly failure: string | null;
  readonly returnData: Uint8Array;
  /** Sender, 20 bytes in hex. This field and the following ones are also set if no program ran. */
  readonly from: string | null;
  readonly to: string | null;
  readonly value: bigint;
  readonly input: Uint8Array;
}

/**
 * State after a traced transaction or call. A revert to the journal position restores the state before the transaction
 * or call. Tracers must not change the state.
 */
export interface Effects {
  readonly state: State;
  readonly before: Mark;
}

/** Position of a traced transaction in its block. A call that is not a transaction has no position. */
export interface TracedPosition {
  readonly blockHash: string | null;
  readonly blockNumber: number;
  readonly transactionHash: string | null;
  readonly transactionPosition: number;
}

/** Observes one execution and returns the trace. */
export interface Tracer {
  readonly hooks: VmHooks;
  /** Returns the trace as JSON. Must be called before the changes are reverted. */
  answer(outcome: TracedOutcome, effects: Effects): string;
}
