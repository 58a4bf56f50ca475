import type { Account } from '../../../src/codec/generated/messages.js';
import type { Address } from '../../../src/primitives/address.js';
import type { Mark } from '../../../src/state-transition/state/journal.js';
import type { State } from '../../../src/state-transition/state/state.js';

/** State mark of the last commit, below all uncommitted rows. */
const COMMITTED: Mark = 0;

/**
 * Records each account that blocks write, even without a change, like `reference/StoredAccounts.java`. Records per
 * block, and per transaction if proposal 25 is in force, with balance and allowance. For this it observes the accounts
 * that the rules read.
 */
export class StoredAccounts {
  private differences: string[] = [];

  constructor(state: State) {
    const { accountsDeletedSince, commit } = state;
    const storedSince = (mark: Mark): Map<Address, Account> =>
      new Map([...state.accountsWrittenSince(mark), ...accountsDeletedSince.call(state, mark)]);
    state.accountsDeletedSince = (mark) => {
      const stored = [...storedSince(mark)].map(([address, it]) => `${address}:${it.balance}:${it.allowance}`);
      this.differences.push(textOf('transaction', stored));
      return accountsDeletedSince.call(state, mark);
    };
    state.commit = () => {
      const stored = [...storedSince(COMMITTED).keys()];
      if (stored.length > 0) this.differences.push(textOf('block', stored));
      return commit.call(state);
    };
  }

  forget(): void {
    this.differences = [];
  }

  /**
   * Returns the records since the last call: one text per transaction. After those of a block follows one text for the
   * whole block.
   */
  take(): readonly string[] {
    return this.differences;
  }
}

function textOf(what: string, accounts: readonly string[]): string {
  return `${what}:${[...accounts].sort().join(',')}`;
}
