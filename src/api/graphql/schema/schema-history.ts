/** What happened to an account: needs the projections of `tronicle.projections`. */
export const historySchema = /* GraphQL */ `
extend type Account {
  "Transactions that name this account, reach it, or move its tokens, the newest first. Projection address-history."
  transactions(first: Int = 20, after: Cursor): AccountTransactionPage!
  "TRX and tokens that went from or to this account, the newest first. Projection token-transfers."
  transfers(first: Int = 20, after: Cursor): TransferPage!
  "Internal transactions from or to this account, the newest first. Projection internal-transactions."
  internalTransactions(first: Int = 20, after: Cursor): AccountInternalPage!
  "Blocks that changed the balance, the newest first. Projection balance-history."
  balanceHistory(first: Int = 20, after: Cursor): BalanceChangePage!
  "Blocks that changed stake, delegations or votes, the newest first. Projection stake-history."
  stakeHistory(first: Int = 20, after: Cursor): StakeChangePage!
}

type AccountTransactionPage {
  nodes: [Transaction!]!
  "Height up to which the history is filled; -1 for none."
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

"Something of value that went from one account to another."
type Transfer {
  kind: TransferKind!
  "Id of the TRC10 token, address of the contract; empty for TRX."
  token: String!
  from: Address!
  to: Address!
  "Decimal: SUN, units of the token, or the id of the one that changed hands."
  amount: String!
  "Which token of the contract, of TRC721 and TRC1155."
  tokenId: String
  blockNumber: Long!
  transactionIndex: Int!
  transactionId: Bytes!
}

type TransferPage {
  nodes: [Transfer!]!
  "Height up to which the history is filled; -1 for none."
  upTo: Long!
  pageInfo: PageInfo!
}

"An internal transaction with its place."
type AccountInternal {
  blockNumber: Long!
  transactionIndex: Int!
  transactionId: Bytes!
  internal: InternalTransaction!
}

type AccountInternalPage {
  nodes: [AccountInternal!]!
  "Height up to which the history is filled; -1 for none."
  upTo: Long!
  pageInfo: PageInfo!
}

"What a block did to a balance."
type BalanceChange {
  blockNumber: Long!
  "SUN."
  before: Long!
  "SUN."
  after: Long!
}

type BalanceChangePage {
  nodes: [BalanceChange!]!
  "Height up to which the history is filled; -1 for none."
  upTo: Long!
  pageInfo: PageInfo!
}

"Stake (1.0 and 2.0 together), delegations and votes after a block. Amounts in SUN."
type StakeChange {
  blockNumber: Long!
  stakedForBandwidth: Long!
  stakedForEnergy: Long!
  stakedForTronPower: Long!
  "Given up, waiting to be withdrawn."
  unstaking: Long!
  delegatedForBandwidth: Long!
  delegatedForEnergy: Long!
  acquiredForBandwidth: Long!
  acquiredForEnergy: Long!
  "Votes given."
  votes: Long!
}

type StakeChangePage {
  nodes: [StakeChange!]!
  "Height up to which the history is filled; -1 for none."
  upTo: Long!
  pageInfo: PageInfo!
}
`;
