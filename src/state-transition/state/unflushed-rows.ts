import type { Mark } from './journal.js';
import type { State } from './state.js';

const ADDRESS_DIGITS = 42;

/**
 * At the end of a block: what the next one still finds in the memory of the reference alone. Blocks up to the
 * solidified one are written to its disk, with tokens apart from their accounts, and without balances of 0; an account
 * that was written again before goes on as it is in memory. Reference: SnapshotManager.buildSession,
 * SnapshotRoot.processAccount.
 * @param mark begin of the block
 */
export function keepUnflushedRows(state: State, mark: Mark): void {
  const [zeros, accounts] = [[...state.zeroTokens.range()], [...state.unflushedAccounts.range()]];
  if (zeros.length === 0 && accounts.length === 0) return;
  const { blockNumber } = state;
  const known = state.flushedNumber?.();
  const flushed = known ?? state.properties.number('LATEST_SOLIDIFIED_BLOCK_NUM');
  const written = new Set<string>(state.accountsWrittenSince(mark).map(([address]) => address));
  for (const [table, rows] of [
    [state.zeroTokens, zeros],
    [state.unflushedAccounts, accounts],
  ] as const) {
    for (const [key, block] of rows) {
      if (block === blockNumber) continue;
      if (written.has(key.slice(0, ADDRESS_DIGITS)) && (known === undefined || block > known))
        table.put(key, blockNumber);
      else if (block <= flushed) table.delete(key);
    }
  }
}
