import type { Account } from '../../../src/codec/generated/messages.js';
import type { Address } from '../../../src/primitives/address.js';
import type { Mark } from '../../../src/state-transition/state/journal.js';
import type { State } from '../../../src/state-transition/state/state.js';

/** Mark at the last commit, before the uncommitted rows. */
const COMMITTED: Mark = 0;

/**
 * Records each account that blocks store, changed or not, like `reference/StoredAccounts.java`: per block, and with
 * proposal 25 in force per transaction, with balance and allowance. It listens to the accounts that the rules read
 * there.
 */
export class StoredAccounts {
  private told: string[] = [];

  constructor(state: State) {
    const { accountsDeletedSince, commit } = state;
    const storedSince = (mark: Mark): Map<Address, Account> =>
      new Map([...state.accountsWrittenSince(mark), ...accountsDeletedSince.call(state, mark)]);
    state.accountsDeletedSince = (mark) => {
      const stored = [...storedSince(mark)].map(([address, it]) => `${address}:${it.balance}:${it.allowance}`);
      this.told.push(textOf('transaction', stored));
      return accountsDeletedSince.call(state, mark);
    };
    state.commit = () => {
      const stored = [...storedSince(COMMITTED).keys()];
      if (stored.length > 0) this.told.push(textOf('block', stored));
      return commit.call(state);
    };
  }

  forget(): void {
    this.told = [];
  }

  /** Since it last forgot: a text for each transaction, and behind those of a block one for all of it. */
  take(): readonly string[] {
    return this.told;
  }
}

function textOf(what: string, accounts: readonly string[]): string {
  return `${what}:${[...accounts].sort().join(',')}`;
}
