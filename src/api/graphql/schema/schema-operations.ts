/** What can be asked and what can be followed. */
export const operationSchema = /* GraphQL */ `
"Answers from one node. \`at\` is a height; without it the newest block counts, without what waits. A height whose state is not kept is an error with code HISTORY_NOT_KEPT. Pages hold at most 100 nodes."
type Query {
  status: Status!
  "By height or by id; without either the newest. Null when the chain does not have it."
  block(number: Long, id: Bytes): Block
  blocks(first: Int = 20, after: Cursor, order: Order = NEWEST_FIRST): BlockPage!
  "A transaction of the chain or one that waits."
  transaction(id: Bytes!): Transaction
  "Transactions that wait, in the order of packing."
  pending(first: Int = 20): [Transaction!]!
  account(address: Address!, at: Long): Account
  "By votes, most first."
  witnesses(first: Int = 20, after: Cursor, at: Long): WitnessPage!
  "Newest first."
  proposals(first: Int = 20, after: Cursor, at: Long): ProposalPage!
  "By id."
  assets(first: Int = 20, after: Cursor, at: Long): AssetPage!
  asset(id: String!, at: Long): Asset
  contract(address: Address!, at: Long): Contract
  "Word of 32 bytes in a contract's storage; zeros when nothing was stored. \`slot\` is up to 32 bytes, filled with zeros on the left."
  storage(address: Address!, slot: Bytes!, at: Long): Bytes!
  "Logs of the chain, oldest first."
  logs(filter: LogFilter, first: Int = 20, after: Cursor): LogPage!
}

"When a subscription hears of a block."
enum Finality {
  "At once; a fork switch then sends the undone ones again with kind REVERTED."
  APPLIED
  "When it can no longer be taken back."
  SOLIDIFIED
}

"What happened to a block."
enum EventKind {
  APPLIED
  REVERTED
  SOLIDIFIED
}

input BlockFilter {
  "Produced by one of these."
  witnesses: [Address!]
}

"Every condition that is given must hold."
input TransactionFilter {
  "Owner or receiver is one of these."
  addresses: [Address!]
  "Name of the contract type is one of these."
  types: [String!]
}

type BlockEvent {
  "Goes on behind this event."
  cursor: Cursor!
  kind: EventKind!
  block: Block!
}

type TransactionEvent {
  "Goes on behind this event."
  cursor: Cursor!
  kind: EventKind!
  transaction: Transaction!
}

type LogEvent {
  "Goes on behind this event."
  cursor: Cursor!
  kind: EventKind!
  log: Log!
}

"What a change is about."
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

"Every condition that is given must hold."
input AccountChangeFilter {
  "Happened to one of these; a delegation happens to who lends and who gets."
  addresses: [Address!]
  kinds: [AccountChangeKind!]
}

"Something that a block changed in an account, told from the difference of the state."
type AccountChange {
  kind: AccountChangeKind!
  address: Address!
  blockNumber: Long!
  "BANDWIDTH, ENERGY or TRON_POWER, of stake and delegations."
  resource: String
  "Who got a delegation."
  to: Address
  "Value before the block, JSON text: SUN, or a list of votes, or permissions."
  before: String!
  "Value after the block, JSON text."
  after: String!
}

type AccountChangeEvent {
  "Goes on behind this event."
  cursor: Cursor!
  kind: EventKind!
  change: AccountChange!
}

"Streams from the node's log, in its order: with \`after\` the cursor of the last event received, the next one follows without gap or repetition, also after a restart of the node; without it the stream begins with what comes next. A client that does not take an event in time is told SUBSCRIBER_TOO_SLOW with its cursor, and goes on with that."
type Subscription {
  "Where the node stands: at once, then whenever something of it changed, at most four times a second. One that is not taken in time is replaced by a newer one."
  status: Status!
  blocks(finality: Finality = SOLIDIFIED, filter: BlockFilter, after: Cursor): BlockEvent!
  transactions(finality: Finality = SOLIDIFIED, filter: TransactionFilter, after: Cursor): TransactionEvent!
  logs(finality: Finality = SOLIDIFIED, filter: LogFilter, after: Cursor): LogEvent!
  "As far back as tronicle.history.retention keeps what blocks changed."
  accountChanges(finality: Finality = SOLIDIFIED, filter: AccountChangeFilter, after: Cursor): AccountChangeEvent!
}
`;
