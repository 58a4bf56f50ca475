import { byteRows, int64Rows } from './state/row-codecs.js';
import { stateProjection } from './state/state-projection.js';

/**
 * Rows that depend on the configuration of this node, or that java-tron does not have. The state digest omits these
 * rows, so two nodes with the same digest can have different rows.
 */
export const nodeLocal = stateProjection({
  name: 'node-local',
  version: 1,
  description:
    'Balance history of storage.balance.history.lookup, and marks of rows that java-tron would not have written to disk yet.',
  stores: {
    'account-trace': byteRows,
    'balance-trace': byteRows,
    /**
     * TRC10 balances of 0 that java-tron has not deleted from its disk yet. The keys are those of `account-asset`. The
     * value is the number of the block that last wrote the account.
     */
    'zero-tokens': int64Rows,
    /**
     * Accounts that java-tron has not written to disk since it moved their token balances out of the account row. The
     * value is the number of the block that last wrote the account.
     */
    'unflushed-accounts': int64Rows,
  },
  read: () => ({}),
});
