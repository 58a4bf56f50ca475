import { fromHex } from '../../primitives/bytes.js';
import { defineIndex } from './index-definition.js';

/** Transfers of TRC721 tokens, indexed by the token contract. */
export const trc721Transfers = defineIndex({
  name: 'trc721-transfers',
  version: 1,
  description: 'transfers of the tokens of this TRC721 contract',
  address: 'the contract of the tokens',
  columns: {
    from: { type: 'address', description: 'Previous owner; the zero address for a new token.' },
    to: { type: 'address', description: 'New owner.' },
    tokenId: { type: 'amount', description: 'Id of the token within the contract.' },
  },
  rowsOf: ({ transfers }) =>
    transfers.flatMap((ofTransaction, transaction) =>
      ofTransaction.flatMap(({ text: { kind, token, amount }, from, to }, at) =>
        kind !== 'TRC721'
          ? []
          : [
              {
                address: fromHex(token),
                transaction,
                at,
                values: { from, to, tokenId: BigInt(amount) },
              },
            ],
      ),
    ),
});
