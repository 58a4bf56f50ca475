import { EMPTY_BYTES } from '../../primitives/bytes.js';
import { distinct, namedAddresses } from './history-block.js';
import type { HistoryIndex } from './history-index.js';
import { indexKey } from './history-key.js';

/**
 * Transactions by account. The accounts of a transaction are the addresses in its contract parameter, the contract of
 * its receipt, and the senders and receivers of its internal transactions and token transfers.
 */
export const addressHistoryIndex: HistoryIndex<undefined> = {
  name: 'address-history',
  // Version 2 added TRC1155.
  version: 2,
  description: 'transactions of an account',
  partsAfterHeight: 1,
  rowsOf: ({ entry, transactions, transfers }) =>
    transactions.flatMap(({ parameter, info, internal, index }) => {
      const reached = [
        ...namedAddresses(parameter),
        ...(info === undefined ? [] : [info.contractAddress]),
        ...internal.flatMap(({ callerAddress, transferToAddress }) => [callerAddress, transferToAddress]),
        ...(transfers[index] ?? []).flatMap(({ from, to }) => [from, to]),
      ];
      return distinct(reached).map((address) => ({
        key: indexKey(address, [entry.number, index]),
        value: EMPTY_BYTES,
      }));
    }),
  decode: () => undefined,
};
