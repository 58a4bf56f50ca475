import { utf8 } from '../../primitives/bytes.js';
import { distinct } from './history-block.js';
import type { HistoryIndex } from './history-index.js';
import { indexKey } from './history-key.js';
import type { TokenTransfer } from './token-transfer.js';

/** Token transfers by account: two rows per transfer, one for the sender and one for the receiver. */
export const tokenTransfersIndex: HistoryIndex<TokenTransfer> = {
  name: 'token-transfers',
  // Version 2 added TRC1155.
  version: 2,
  description: 'transfers of TRX and tokens from or to an account',
  partsAfterHeight: 2,
  rowsOf: ({ entry, transfers }) =>
    transfers.flatMap((ofTransaction, index) =>
      ofTransaction.flatMap(({ text, from, to }, at) => {
        const value = utf8(JSON.stringify(text));
        return distinct([from, to]).map((address) => ({
          key: indexKey(address, [entry.number, index, at]),
          value,
        }));
      }),
    ),
  decode: (value) => JSON.parse(Buffer.from(value).toString()) as TokenTransfer,
};
