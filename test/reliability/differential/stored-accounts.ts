import type { Account } from '../../../src/codec/generated/messages.js';
import type { Address } from '../../../src/primitives/address.js';
import type { Mark } from '../../../src/state-transition/state/journal.js';
import type { State } from '../../../src/state-transition/state/state.js';

/** Mark at the last commit, before the uncommitted rows. */
const COMMITTED: Mark = 0;

/**
 * Hears of each account that blocks store, changed or not, as `reference/StoredAccounts.java` does: in a block as a
 * whole, and with proposal 25 in force in each of its transactions, there with balance and allowance. There the rules
 * ask for them; it listens to what they ask.
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
