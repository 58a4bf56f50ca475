/** GraphQL schema of account histories. Its fields need projections of `tronicle.projections`. */
export const historySchema = /* GraphQL */ `
extend type Account {
  "Transactions that involve this account. The account is named in the transaction, or takes part in an internal transaction or token transfer of the transaction. Newest first. Requires the projection address-history."
  transactions(first: Int = 20, after: Cursor): AccountTransactionPage!
  "TRX and token transfers from or to this account. Newest first. Requires the projection token-transfers."
  transfers(first: Int = 20, after: Cursor): TransferPage!
  "Internal transactions from or to this account. Newest first. Requires the projection internal-transactions."
  internalTransactions(first: Int = 20, after: Cursor): AccountInternalPage!
  "Balance changes of this account, one per block. Newest first. Requires the projection balance-history."
  balanceHistory(first: Int = 20, after: Cursor): BalanceChangePage!
  "Changes of stake, delegations or votes of this account, one per block. Newest first. Requires the projection stake-history."
  stakeHistory(first: Int = 20, after: Cursor): StakeChangePage!
}

type AccountTransactionPage {
  nodes: [Transaction!]!
  "Height up to which the history is indexed; -1 if no block is indexed."
  upTo: Long!
  pageInfo: PageInfo!
}

enum TransferKind {
  TRX
  TRC10
  TRC20
  TRC721
  TRC1155
}

"Transfer of TRX or of a token."
type Transfer {
  kind: TransferKind!
  "Id of the TRC10 token or address of the token contract. Empty for TRX."
  token: String!
  from: Address!
  to: Address!
  "Decimal amount in SUN, or in the smallest unit of the token. For TRC721: the id of the transferred token."
  amount: String!
  "Id of the transferred token, for TRC721 and TRC1155. Null for other kinds."
  tokenId: String
  blockNumber: Long!
  transactionIndex: Int!
  transactionId: Bytes!
}

type TransferPage {
  nodes: [Transfer!]!
  "Height up to which the history is indexed; -1 if no block is indexed."
  upTo: Long!
  pageInfo: PageInfo!
}

"An internal transaction with its position in the chain."
type AccountInternal {
  blockNumber: Long!
  transactionIndex: Int!
  transactionId: Bytes!
  internal: InternalTransaction!
}

type AccountInternalPage {
  nodes: [AccountInternal!]!
  "Height up to which the history is indexed; -1 if no block is indexed."
  upTo: Long!
  pageInfo: PageInfo!
}

"Balance of an account before and after a block."
type BalanceChange {
  blockNumber: Long!
  "Balance before the block, in SUN."
  before: Long!
  "Balance after the block, in SUN."
  after: Long!
}

type BalanceChangePage {
  nodes: [BalanceChange!]!
  "Height up to which the history is indexed; -1 if no block is indexed."
  upTo: Long!
  pageInfo: PageInfo!
}

"Stake (sum of 1.0 and 2.0), delegations and votes of an account after a block. Amounts are in SUN."
type StakeChange {
  blockNumber: Long!
  stakedForBandwidth: Long!
  stakedForEnergy: Long!
  stakedForTronPower: Long!
  "Unstaked amount that is not withdrawn yet."
  unstaking: Long!
  delegatedForBandwidth: Long!
  delegatedForEnergy: Long!
  acquiredForBandwidth: Long!
  acquiredForEnergy: Long!
  "Number of votes cast."
  votes: Long!
}

type StakeChangePage {
  nodes: [StakeChange!]!
  "Height up to which the history is indexed; -1 if no block is indexed."
  upTo: Long!
  pageInfo: PageInfo!
}
`;
