import type { State } from '../../../src/state-transition/state/state.js';
import type { ContractHandler } from '../../../src/state-transition/system-contracts/contract-handler.js';
import { refusal } from './state-with.js';

/** One thing that is wrong with a contract, and the words with which the reference refuses it. */
export interface Refusal<C> {
  /** undefined: it is accepted. */
  readonly text: string | undefined;
  /** Fields that differ from the accepted contract. */
  readonly fields?: Partial<C>;
  /** Change of the state before execution. */
  readonly given?: (state: State) => void;
}

/** Reads every row on a fresh state; a contract without a row is accepted. */
export function refusalsOf<C extends object>(
  t: { equal(found: unknown, wanted: unknown, name: string): unknown },
  handler: ContractHandler<C>,
  { fresh, accepted, rows }: { fresh: () => State; accepted: Partial<C>; rows: readonly Refusal<C>[] },
): void {
  t.equal(refusal(handler, fresh(), accepted)?.text, undefined, 'the contract that the rows differ from');
  for (const { text, fields = {}, given } of rows) {
    const state = fresh();
    given?.(state);
    t.equal(refusal(handler, state, { ...accepted, ...fields })?.text, text, text ?? 'accepted');
  }
}
