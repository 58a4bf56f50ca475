import { defineIndex } from './index-definition.js';

/** Holders of a TRC20 token: accounts that have sent or received the token and have a balance above zero. */
export const tokenHolders = defineIndex({
  name: 'token-holders',
  version: 1,
  description: 'accounts that hold tokens of this TRC20 contract',
  address: 'the contract of the token',
  columns: { holder: { type: 'address', description: 'Account that holds tokens.' } },
  distinct: 'holder',
  state: {
    columns: { balance: { type: 'amount', description: 'Balance that the contract reports at the requested height.' } },
    read: (state, contract, { holder }) => {
      const balance = state.tokenBalance(contract, holder);
      return balance === undefined || balance === 0n ? undefined : { balance };
    },
  },
  rowsOf: ({ tokenSides }) =>
    tokenSides.map(({ token, account, row }) => ({ ...row, address: token, values: { holder: account } })),
});
