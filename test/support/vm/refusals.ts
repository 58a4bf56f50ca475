import type { State } from '../../../src/state-transition/state/state.js';
import type { ContractHandler } from '../../../src/state-transition/system-contracts/contract-handler.js';
import { refusal } from './state-with.js';

/** An invalid contract, and the reference's error text for it. */
export interface Refusal<C> {
  /** Error text; undefined if the contract is accepted. */
  readonly text: string | undefined;
  /** Fields that differ from the accepted contract. */
  readonly fields?: Partial<C>;
  /** Change of the state before execution. */
  readonly given?: (state: State) => void;
}

/** Runs every row on a fresh state. Checks first that the unchanged contract is accepted. */
export function refusalsOf<C extends object>(
  t: { equal(found: unknown, expected: unknown, name: string): unknown },
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
