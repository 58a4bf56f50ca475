import type { State } from '../../../src/state-transition/state/state.js';
import type { ContractHandler } from '../../../src/state-transition/system-contracts/contract-handler.js';
import { refusal } from './state-with.js';

/** A test case: an invalid contract, and the error text of java-tron for it. */
export interface Refusal<C> {
  /** Error text; undefined if java-tron accepts the contract. */
  readonly text: string | undefined;
  /** Fields in which the contract differs from the accepted contract. */
  readonly fields?: Partial<C>;
  /** Changes the state before the execution. */
  readonly given?: (state: State) => void;
}

/**
 * Executes the contract of each test case on a new state, and compares the error text. First checks that the contract
 * without changes is accepted.
 */
export function refusalsOf<C extends object>(
  t: { equal(found: unknown, expected: unknown, name: string): unknown },
  handler: ContractHandler<C>,
  { fresh, accepted, rows }: { fresh: () => State; accepted: Partial<C>; rows: readonly Refusal<C>[] },
): void {
  t.equal(refusal(handler, fresh(), accepted)?.text, undefined, 'the unchanged contract');
  for (const { text, fields = {}, given } of rows) {
    const state = fresh();
    given?.(state);
    t.equal(refusal(handler, state, { ...accepted, ...fields })?.text, text, text ?? 'accepted');
  }
}
