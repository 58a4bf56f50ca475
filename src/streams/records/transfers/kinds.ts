/** Causes of a movement, with their descriptions for `docs/streams.md`. */
export const movementKinds = {
  genesis: 'initial balance in the genesis block; only with `genesis = true`',
  transfer: 'amount of a transfer contract',
  call: 'value sent with the call or the deployment of a smart contract',
  internal: 'value that a smart contract sends to another account or to a contract that it creates',
  'self-destruct': 'balances of a destroyed contract',
  event: 'transfer that an event of a TRC20, TRC721 or TRC1155 contract reports',
  fee: 'all fees of a transaction: bandwidth, energy, account creation, memo, signatures, contract fees',
  stake: 'TRX staked (1.0 and 2.0)',
  unstake: 'unstaked TRX that arrives at the balance, after a withdrawal or a direct unfreeze',
  reward: 'witness and voting rewards that arrive at the balance',
  'asset-issue': 'part of the supply of a new TRC10 asset that is not frozen',
  'asset-sale': 'purchase of a TRC10 asset from its issuer',
  'asset-unfreeze': 'frozen supply of a TRC10 asset that its issuer unfreezes',
  exchange: 'amount paid into or out of an exchange pool',
  market: 'amount that moves when a market order is opened, filled or cancelled, or when its rest is returned',
  other: 'difference that no other cause explains; the recordings of java-tron have none',
} as const;

export type MovementKind = keyof typeof movementKinds;
