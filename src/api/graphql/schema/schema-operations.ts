/** GraphQL schema of the queries and subscriptions. */
export const operationSchema = /* GraphQL */ `
"Read-only queries to one node. \`at\` is the height of the block after which the state is read. Default: the newest block, without pending transactions. If the state at a height is pruned, the error code is HISTORY_NOT_KEPT. A page has at most 100 nodes."
type Query {
  "Current status of this node."
  status: Status!
  "Block by height or id, not both. Default: the newest block. Null if the chain has no such block."
  block(number: Long, id: Bytes): Block
  "Blocks in order of height."
  blocks(first: Int = 20, after: Cursor, order: Order = NEWEST_FIRST): BlockPage!
  "Transaction by id, from the chain or from the pending transactions. Null if the node does not have the transaction."
  transaction(id: Bytes!): Transaction
  "Pending transactions, in the order of inclusion in the next block."
  pending(first: Int = 20): [Transaction!]!
  "Account by address. Null if the account does not exist."
  account(address: Address!, at: Long): Account
  "Witnesses (block producer candidates) by votes, highest first."
  witnesses(first: Int = 20, after: Cursor, at: Long): WitnessPage!
  "Proposals, newest first."
  proposals(first: Int = 20, after: Cursor, at: Long): ProposalPage!
  "TRC10 assets in order of id."
  assets(first: Int = 20, after: Cursor, at: Long): AssetPage!
  "TRC10 asset by id. Null if the asset does not exist."
  asset(id: String!, at: Long): Asset
  "Smart contract by address. Null if the contract does not exist."
  contract(address: Address!, at: Long): Contract
  "Value of a storage slot of a contract, 32 bytes. Zero if the slot is empty. \`slot\` has up to 32 bytes and is padded with zeros on the left."
  storage(address: Address!, slot: Bytes!, at: Long): Bytes!
  "Logs of the chain, oldest first."
  logs(filter: LogFilter, first: Int = 20, after: Cursor): LogPage!
}

"Point at which a subscription reports a block."
enum Finality {
  "The subscription reports the block when the block is applied. If a reorg reverts the block, an event with kind REVERTED follows."
  APPLIED
  "The subscription reports the block when the block is solidified. A solidified block cannot be reverted (default)."
  SOLIDIFIED
}

"Change that an event reports."
enum EventKind {
  APPLIED
  REVERTED
  SOLIDIFIED
}

"Condition for blocks."
input BlockFilter {
  "Witnesses whose blocks match."
  witnesses: [Address!]
}

"Conditions for transactions. All given conditions must match."
input TransactionFilter {
  "Accounts whose transactions match, as sender or receiver."
  addresses: [Address!]
  "Contract types that match, for example TransferContract."
  types: [String!]
}

type BlockEvent {
  "Cursor of the event. Pass the cursor as \`after\` to resume after this event."
  cursor: Cursor!
  kind: EventKind!
  block: Block!
}

type TransactionEvent {
  "Cursor of the event. Pass the cursor as \`after\` to resume after this event."
  cursor: Cursor!
  kind: EventKind!
  transaction: Transaction!
}

type LogEvent {
  "Cursor of the event. Pass the cursor as \`after\` to resume after this event."
  cursor: Cursor!
  kind: EventKind!
  log: Log!
}

"Kind of an account change."
enum AccountChangeKind {
  STAKE
  UNSTAKE
  DELEGATE
  UNDELEGATE
  VOTE
  REWARD
  PERMISSION
  BALANCE
}

"Conditions for account changes. All given conditions must match."
input AccountChangeFilter {
  "Accounts whose changes match. A delegation matches the delegating and the receiving account."
  addresses: [Address!]
  kinds: [AccountChangeKind!]
}

"A change of an account by a block, computed from the state before and after the block."
type AccountChange {
  kind: AccountChangeKind!
  address: Address!
  blockNumber: Long!
  "BANDWIDTH, ENERGY or TRON_POWER, for stake and delegations. Null for other kinds."
  resource: String
  "Receiver of a delegation. Null for other kinds."
  to: Address
  "Value before the block as JSON text: an amount in SUN, a list of votes, or permissions."
  before: String!
  "Value after the block as JSON text: an amount in SUN, a list of votes, or permissions."
  after: String!
}

type AccountChangeEvent {
  "Cursor of the event. Pass the cursor as \`after\` to resume after this event."
  cursor: Cursor!
  kind: EventKind!
  change: AccountChange!
}

"Event streams of this node, in the order of its block log. \`after\` is the cursor of the last received event. The stream resumes after that event without gaps or duplicates, also after a restart of the node. Without \`after\`, the stream has only new events. If a client does not read an event within 10 s, the stream ends with the error SUBSCRIBER_TOO_SLOW, which contains the cursor to resume from."
type Subscription {
  "Status of this node: the current status, then each change, at most four times per second. A slow client receives only the newest status."
  status: Status!
  "Blocks. Default: solidified blocks."
  blocks(finality: Finality = SOLIDIFIED, filter: BlockFilter, after: Cursor): BlockEvent!
  "Transactions. Default: transactions of solidified blocks."
  transactions(finality: Finality = SOLIDIFIED, filter: TransactionFilter, after: Cursor): TransactionEvent!
  "Logs. Default: logs of solidified blocks."
  logs(finality: Finality = SOLIDIFIED, filter: LogFilter, after: Cursor): LogEvent!
  "Account changes. Default: changes by solidified blocks. \`after\` can go back only to blocks within tronicle.history.retention."
  accountChanges(finality: Finality = SOLIDIFIED, filter: AccountChangeFilter, after: Cursor): AccountChangeEvent!
}
`;
