import { InternalTransaction } from '../../codec/generated/messages.js';
import { distinct } from './history-block.js';
import type { HistoryIndex } from './history-index.js';
import { indexKey } from './history-key.js';

/** Internal transactions by account: two rows per internal transaction, one for the sender and one for the receiver. */
export const internalTransactionsIndex: HistoryIndex<InternalTransaction> = {
  name: 'internal-transactions',
  version: 1,
  description: 'internal transactions from or to an account',
  partsAfterHeight: 2,
  rowsOf: ({ entry, transactions }) =>
    transactions.flatMap(({ index, internal }) =>
      internal.flatMap((one, at) =>
        distinct([one.callerAddress, one.transferToAddress]).map((address) => ({
          key: indexKey(address, [entry.number, index, at]),
          value: InternalTransaction.encode(one),
        })),
      ),
    ),
  decode: (value) => InternalTransaction.decode(value),
};
