import type { Mark } from '../state/journal.js';
import type { State } from '../state/state.js';

const ADDRESS_DIGITS = 42;

/**
 * At the end of a block: what the next one still finds in the memory of the reference alone. It writes the blocks up to the solidified one
 * to its disk when a transaction comes, with tokens apart from their accounts, and without balances of 0; an account that was written
 * again before goes on as it is in memory. Where no transaction comes between two blocks, the solidified one itself is written later: that
 * is not on the chain, and not told apart. Reference: SnapshotManager.buildSession, SnapshotRoot.processAccount.
 * @param mark begin of the block @param irreversible newest block that was solidified before, on whatever branch
 */
export function keepUnflushedRows(state: State, mark: Mark, irreversible = 0): void {
  const [zeros, accounts] = [[...state.zeroTokens.range()], [...state.unflushedAccounts.range()]];
  if (zeros.length === 0 && accounts.length === 0) return;
  const { blockNumber } = state;
  const flushed = Math.max(state.properties.number('LATEST_SOLIDIFIED_BLOCK_NUM'), irreversible);
  const written = new Set<string>(state.accountsWrittenSince(mark).map(([address]) => address));
  for (const [table, rows] of [
    [state.zeroTokens, zeros],
    [state.unflushedAccounts, accounts],
  ] as const) {
    for (const [key, block] of rows) {
      if (block === blockNumber) continue;
      if (block > irreversible && written.has(key.slice(0, ADDRESS_DIGITS))) table.put(key, blockNumber);
      else if (block <= flushed) table.delete(key);
    }
  }
}
