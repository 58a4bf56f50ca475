import type { Account } from '../../../src/codec/generated/messages.js';
import type { Address } from '../../../src/primitives/address.js';
import type { Mark } from '../../../src/state-transition/state/journal.js';
import type { State } from '../../../src/state-transition/state/state.js';

/**
 * Mark of the journal directly after a commit: its length is 0. Each entry of the journal is therefore an uncommitted
 * change.
 */
const COMMITTED: Mark = 0;

/**
 * Records each account that a block writes, even if the write does not change the account.
 * `reference/StoredAccounts.java` does the same in java-tron. If proposal 25 is in force, also records the accounts
 * that each transaction writes, with balance and allowance. Replaces functions of the state to do this.
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
   * Returns the recorded accounts of the blocks since the last call of {@link forget}: for each block, one text per
   * transaction, then one text for the whole block.
   */
  take(): readonly string[] {
    return this.differences;
  }
}

function textOf(what: string, accounts: readonly string[]): string {
  return `${what}:${[...accounts].sort().join(',')}`;
}
