import type { Mark } from '../../../state-transition/state/journal.js';
import type { State } from '../../../state-transition/state/state.js';
import type { VmHooks } from '../../../vm/machine/hooks.js';

/** How a traced transaction or call ended. */
export interface TracedOutcome {
  readonly energyUsed: bigint;
  readonly isFailed: boolean;
  /** Text of the failure; null where there is none. */
  readonly failure: string | null;
  readonly returnData: Uint8Array;
  /** What can be said of a transaction whose program was not run. Addresses are 20 bytes in hex behind 0x. */
  readonly from: string | null;
  readonly to: string | null;
  readonly value: bigint;
  readonly input: Uint8Array;
}

/** The state as a traced transaction or call left it, and the point before it. For reading only. */
export interface Effects {
  readonly state: State;
  readonly before: Mark;
}

/** Where a traced transaction stands; a call that was never sent stands nowhere. */
export interface TracedPosition {
  readonly blockHash: string | null;
  readonly blockNumber: number;
  readonly transactionHash: string | null;
  readonly transactionPosition: number;
}

/** Watches one run and makes the answer. */
export interface Tracer {
  readonly hooks: VmHooks;
  /** JSON, made while the effects are there. */
  answer(outcome: TracedOutcome, effects: Effects): string;
}
