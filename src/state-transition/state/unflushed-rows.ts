import type { Mark } from './journal.js';
import type { State } from './state.js';

const ADDRESS_DIGITS = 42;

/**
 * Tracks the rows that java-tron would have only in memory. Called at the end of a block. When a block is solidified,
 * java-tron flushes its rows to disk. With this flush, java-tron moves tokens out of the accounts and drops zero
 * balances. An account that is written again before the flush stays in memory. Reference: SnapshotManager.buildSession,
 * SnapshotRoot.processAccount.
 * @param mark mark at the start of the block
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
