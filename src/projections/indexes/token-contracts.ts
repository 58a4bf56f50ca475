import { fromHex } from '../../primitives/bytes.js';
import { defineIndex } from './index-definition.js';

/** TRC20 contracts whose tokens an account sent or received. */
export const tokenContractsIndex = defineIndex({
  name: 'token-contracts',
  // Version 2 added the transaction.
  version: 2,
  description: 'TRC20 contracts whose tokens this account sent or received',
  address: 'the account',
  columns: { contract: { type: 'address', description: 'Contract of the token.' } },
  distinct: 'contract',
  rowsOf: ({ transfers }) =>
    transfers.flatMap((ofTransaction, transaction) =>
      ofTransaction
        .filter(({ text }) => text.kind === 'TRC20')
        .flatMap(({ text, from, to }, at) => {
          const values = { contract: fromHex(text.token) };
          return [from, to].map((address) => ({ address, transaction, at, values }));
        }),
    ),
});
