import type { VmHooks } from '../../../vm/interpreter/hooks.js';

/** How a traced transaction or call ended. */
export interface TracedOutcome {
  readonly energyUsed: bigint;
  readonly isFailed: boolean;
  /** Text of the failure; null where there is none. */
  readonly failure: string | null;
  readonly returnData: Uint8Array;
  /** What can be said of a transaction whose program was not run. */
  readonly from: string | null;
  readonly to: string | null;
  readonly value: bigint;
  readonly input: Uint8Array;
}

/** Watches one run and makes the answer. */
export interface Tracer {
  readonly hooks: VmHooks;
  /** JSON. */
  answer(outcome: TracedOutcome): string;
}
