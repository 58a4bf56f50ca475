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
  rowsOf: ({ tokenSides }) =>
    tokenSides.map(({ token, account, row }) => ({ ...row, address: account, values: { contract: token } })),
});
