/** Blocks, transactions, receipts, logs. */
export const chainSchema = /* GraphQL */ `
"Signed 64-bit whole number as decimal text, so that no reader rounds it. Given as text or as a number below 2^53."
scalar Long
"Bytes as lower-case hex without prefix. A leading 0x is accepted in arguments."
scalar Bytes
"Account address as Base58Check text. Arguments may also be hex of 21 bytes (41…) or of 20 bytes (0x…)."
scalar Address
"Where a list or a stream goes on. Opaque: take it from an answer, keep it, give it back."
scalar Cursor

"Order of a list of blocks."
enum Order {
  "From the head down; the default."
  NEWEST_FIRST
  "From genesis up."
  OLDEST_FIRST
}

"How a list goes on."
type PageInfo {
  "True when there is more behind endCursor."
  hasNextPage: Boolean!
  "Give it as \`after\` to go on. Null for an empty page."
  endCursor: Cursor
}

"Where this node stands."
type Status {
  "Release of java-tron whose rules and interfaces this node has."
  release: String!
  "Height of the newest block."
  headNumber: Long!
  "Id of the newest block."
  headId: Bytes!
  "Time of the newest block, ms since 1970."
  headTime: Long!
  "Height of the newest irreversible block."
  solidifiedNumber: Long!
  "Id of the newest irreversible block."
  solidifiedId: Bytes!
  "Number of transactions that wait for a block."
  pending: Int!
  "State digest after the newest block; equal on all nodes with the same chain."
  digest: Bytes!
  "Number of the newest entry of this node's log."
  logSeq: Long!
  "Cursor of that entry: a subscription with \`after\` this cursor gets all that comes later."
  cursor: Cursor!
  "Lowest height that arguments \`at\` may name."
  keptHeight: Long!
  "The log holds the blocks above this height, and genesis. Above 0 after tronicle bootstrap, or by tronicle.log.retention."
  beginHeight: Long!
  "Transactions for each second of block time, over the last blocks."
  transactionsPerSecond: Float!
  "Peers that are connected."
  peers: Int!
  "Histories and indexes that follow the log."
  projections: [ProjectionStatus!]!
  "Where events are passed on to; may be some tenths of a second old."
  sinks: [SinkStatus!]!
  "How far this node is behind the node whose log it follows; may be some tenths of a second old. Null on a node that is no read replica."
  replica: ReplicaStatus
}

"How far a read replica is behind the log that it follows, as of the last fetch."
type ReplicaStatus {
  "Records of the followed topic that are not taken yet: one or more for each block."
  lagRecords: Long!
  "Seconds since the newest record that was taken had been written; 0 when there is no newer one."
  lagSeconds: Float!
  "Whether the topic can be read; while it is false, what has come since is in neither number."
  isConnected: Boolean!
}

"How far a projection has come."
type ProjectionStatus {
  name: String!
  "Height of the newest block folded in; -1 for none."
  number: Long!
  "Blocks between it and the head."
  behind: Long!
}

"How far a sink has come."
type SinkStatus {
  name: String!
  "starting, forwarding, retrying, stopped, closed, done"
  state: String!
  "Height of the newest block passed on; -1 for none."
  number: Long!
  "Irreversible blocks that it has not passed on yet."
  behind: Long!
  "Why it does not forward."
  problem: String
}

"A block."
type Block {
  "Height; genesis is 0."
  number: Long!
  "Height in the first 8 bytes, then the hash of the header."
  id: Bytes!
  "Id of the block before."
  parentId: Bytes!
  "Time of its slot, ms since 1970."
  timestamp: Long!
  "Who produced it."
  witnessAddress: Address!
  "The producer's row as of this node's head. Null for genesis."
  witness: Witness
  "Block version that the producer runs."
  version: Int!
  "Merkle root over the transactions."
  transactionRoot: Bytes!
  "Signature of the producer."
  witnessSignature: Bytes!
  "Size as received, bytes."
  size: Int!
  "Number of transactions."
  transactionCount: Int!
  "State digest after the block."
  digest: Bytes!
  "True when it can no longer be taken back."
  isSolidified: Boolean!
  "Transactions in block order; \`skip\` is the index of the first."
  transactions(first: Int = 20, skip: Int = 0): [Transaction!]!
}

"A page of blocks."
type BlockPage {
  nodes: [Block!]!
  pageInfo: PageInfo!
}

"A transaction."
type Transaction {
  "SHA-256 of its raw data."
  id: Bytes!
  "Height of its block. Null while it waits."
  blockNumber: Long
  "Place in its block. Null while it waits."
  index: Int
  "Its block. Null while it waits."
  block: Block
  "Name of the contract type, as TransferContract."
  type: String!
  "Whose transaction it is. Null when the contract does not parse."
  owner: Address
  "The owner's account as of this node's head."
  ownerAccount: Account
  "Whom it is for: receiver, called contract, first candidate voted for. Null where there is none."
  to: Address
  "SUN of a TRX transfer or sent along with a call; units of the asset in an asset transfer. Null for other types."
  amount: Long
  "Fields of the contract, JSON text as the HTTP interface prints it with visible = true."
  parameter: String
  "From when on it is no longer accepted, ms since 1970."
  expiration: Long!
  "What the sender wrote as its time, ms since 1970; not checked."
  timestamp: Long!
  "Most SUN that it may burn for energy."
  feeLimit: Long!
  "Memo."
  data: Bytes!
  "Signatures, 65 bytes each."
  signatures: [Bytes!]!
  "Name of the result in the block, as SUCCESS or REVERT."
  result: String!
  "What executing it cost and gave. Null while it waits, and in genesis."
  receipt: Receipt
}

"What executing a transaction cost and gave."
type Receipt {
  "All that was burnt or paid, SUN."
  fee: Long!
  "Energy that the caller's stake paid."
  energyUsage: Long!
  "Energy that the caller burnt TRX for, SUN."
  energyFee: Long!
  "Energy that the contract's creator paid."
  originEnergyUsage: Long!
  "All energy, penalty included."
  energyUsageTotal: Long!
  "Energy added because the contract is called much."
  energyPenaltyTotal: Long!
  "Bandwidth that stake or the free allowance paid, bytes."
  netUsage: Long!
  "SUN burnt for bandwidth or for a new account."
  netFee: Long!
  "Name of the execution's result; DEFAULT for those that run no smart contract."
  result: String!
  "True when the transaction failed."
  isFailed: Boolean!
  "Text of a failure, in the reference's words."
  message: String!
  "What the smart contract returned."
  contractResult: [Bytes!]!
  "Contract that was called or created."
  contractAddress: Address
  "SUN withdrawn as reward."
  withdrawAmount: Long!
  "SUN unstaked (stake 1.0)."
  unfreezeAmount: Long!
  "SUN withdrawn after the waiting time of stake 2.0."
  withdrawExpireAmount: Long!
  "Events of smart contracts."
  logs: [Log!]!
  "Calls and transfers between contracts, as far as the configuration keeps them in receipts."
  internalTransactions: [InternalTransaction!]!
}

"An event of a smart contract."
type Log {
  "Contract that made it."
  address: Address!
  "Up to four words of 32 bytes; the first is mostly the hash of the event's signature."
  topics: [Bytes!]!
  data: Bytes!
  "Height of the block."
  blockNumber: Long!
  "Transaction that made it."
  transactionId: Bytes!
  "Place of the transaction in its block."
  transactionIndex: Int!
  "Place among the logs of the transaction."
  index: Int!
}

"A page of logs."
type LogPage {
  nodes: [Log!]!
  "hasNextPage is true as well when the blocks that one page may look at were used up."
  pageInfo: PageInfo!
}

"A call or transfer that a smart contract made."
type InternalTransaction {
  hash: Bytes!
  caller: Address!
  "Null where nobody receives."
  to: Address
  "What was sent along."
  values: [CallValue!]!
  "Kind, as call, create, suicide, delegateResourceOfEnergy."
  note: String!
  "True when it was undone."
  rejected: Boolean!
  "More about it, JSON text; mostly empty."
  extra: String!
}

"Something of value sent with an internal transaction."
type CallValue {
  "SUN, or units of the asset."
  amount: Long!
  "Id of the asset; empty for TRX."
  tokenId: String!
}

"Which logs: every condition that is given must hold."
input LogFilter {
  "First height; without it genesis, in a subscription it is not used."
  fromBlock: Long
  "Last height; without it the head, in a subscription it is not used."
  toBlock: Long
  "Made by one of these contracts."
  addresses: [Address!]
  "For each place the accepted words; an empty list accepts all."
  topics: [[Bytes!]!]
}
`;
