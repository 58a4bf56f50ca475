import { fromInt64, toInt64 } from '../../primitives/bytes.js';
import type { HistoryIndex } from './history-index.js';
import { indexKey } from './history-key.js';

/** Balance of an account before and after a block, in SUN. */
interface BalanceChange {
  readonly before: bigint;
  readonly after: bigint;
}

/**
 * Balance changes by account and block. A value has two Java longs (8 bytes each): the balance before the block and the
 * balance after the block.
 */
export const balanceHistoryIndex: HistoryIndex<BalanceChange> = {
  name: 'balance-history',
  version: 1,
  description: 'balance of an account before and after each block that changed the balance',
  partsAfterHeight: 0,
  rowsOf: ({ entry, accounts }) =>
    accounts.flatMap(({ address, before, after }) => {
      const [old, now] = [before?.balance ?? 0n, after?.balance ?? 0n];
      if (old === now) return [];
      const value = Buffer.concat([fromInt64(old), fromInt64(now)]);
      return [{ key: indexKey(address, [entry.number]), value }];
    }),
  decode: (value) => ({ before: toInt64(value.subarray(0, 8)), after: toInt64(value.subarray(8)) }),
};
