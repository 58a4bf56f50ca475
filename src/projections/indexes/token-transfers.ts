import { fromHex, utf8 } from '../../primitives/bytes.js';
import { distinct } from './history-blocks.js';
import type { HistoryIndex } from './history-index.js';
import { indexKey } from './history-key.js';
import { type TokenTransfer, transfersOf } from './token-transfer.js';

/** Token transfers by account: two rows per transfer, one for the sender and one for the receiver. */
export const tokenTransfersIndex: HistoryIndex<TokenTransfer> = {
  name: 'token-transfers',
  // Version 2 added TRC1155.
  version: 2,
  partsAfterHeight: 2,
  rowsOf: ({ entry, transactions }, addressPrefix) =>
    transactions.flatMap((transaction) =>
      transfersOf(transaction, addressPrefix).flatMap((transfer, at) =>
        distinct([fromHex(transfer.from), fromHex(transfer.to)]).map((address) => ({
          key: indexKey(address, [entry.number, transaction.index, at]),
          value: utf8(JSON.stringify(transfer)),
        })),
      ),
    ),
  decode: (value) => JSON.parse(Buffer.from(value).toString()) as TokenTransfer,
};
