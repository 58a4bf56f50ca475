/** GraphQL schema of blocks, transactions, receipts and logs. */
export const chainSchema = /* GraphQL */ `
"Signed 64-bit integer as decimal text, because many JSON clients round large numbers. Arguments accept text, or a number below 2^53."
scalar Long
"Bytes as lower-case hex without prefix. Arguments may start with 0x."
scalar Bytes
"Account address in Base58Check. Arguments may also be hex: 21 bytes (41…) or 20 bytes (0x…)."
scalar Address
"Opaque position in a list or a stream. Pass a cursor from a response as \`after\` to continue after that position."
scalar Cursor

"Order of a list of blocks."
enum Order {
  "From the head block down (default)."
  NEWEST_FIRST
  "From the genesis block up."
  OLDEST_FIRST
}

"Position of a page in its list."
type PageInfo {
  "True if more nodes follow after endCursor."
  hasNextPage: Boolean!
  "Cursor of the last node of the page. Pass the cursor as \`after\` to get the next page. Null for an empty page."
  endCursor: Cursor
}

"Current status of this node."
type Status {
  "java-tron release that this node emulates, for example 4.8.2."
  release: String!
  "Height of the newest block."
  headNumber: Long!
  "Id of the newest block."
  headId: Bytes!
  "Time of the newest block, in ms since 1970."
  headTime: Long!
  "Height of the newest solidified block."
  solidifiedNumber: Long!
  "Id of the newest solidified block."
  solidifiedId: Bytes!
  "Number of pending transactions."
  pending: Int!
  "State digest (hash over all changed rows) after the newest block. Nodes with the same chain have the same digest."
  digest: Bytes!
  "Sequence number of the newest entry in this node's block log (every applied, reverted and solidified block)."
  logSeq: Long!
  "Cursor of the newest entry in the block log. Pass the cursor as \`after\` of a subscription to receive all later events."
  cursor: Cursor!
  "Lowest height that \`at\` arguments accept. Older states are pruned."
  keptHeight: Long!
  "Blocks at or below this height are not stored, except genesis. This height is above 0 after tronicle bootstrap, or if tronicle.log.retention deleted blocks."
  beginHeight: Long!
  "Transactions per second of block time, averaged over the last 20 blocks."
  transactionsPerSecond: Float!
  "Number of connected peers."
  peers: Int!
  "Progress of the projections (histories and indexes)."
  projections: [ProjectionStatus!]!
  "Parts of the state, with number and checksum of their rows. Nodes with the same chain have the same checksums, except for the part node-local."
  stateProjections: [StateProjectionStatus!]!
  "Progress of the sinks. The values may be a few hundred ms old."
  sinks: [SinkStatus!]!
  "Lag of this read replica behind the node whose log it follows. The value may be a few hundred ms old. Null if this node is not a replica."
  replica: ReplicaStatus
  "Reason why the node cannot store blocks, such as a full disk. The value may be a few hundred ms old. Null if the node can store blocks."
  storageProblem: String
}

"Lag of a read replica, measured when the replica last fetched records."
type ReplicaStatus {
  "Number of records in the followed topic that this node has not read yet. Each block has one or more records."
  lagRecords: Long!
  "Age of the newest record that was read, in seconds; 0 if no newer record exists."
  lagSeconds: Float!
  "True if the topic is readable. While false, lagRecords and lagSeconds do not include new records."
  isConnected: Boolean!
}

"Progress of a projection."
type ProjectionStatus {
  name: String!
  "Height of the newest indexed block; -1 if no block is indexed."
  number: Long!
  "Number of blocks between the newest indexed block and the head."
  behind: Long!
}

"A part of the state: the rows of some stores."
type StateProjectionStatus {
  name: String!
  description: String!
  "Version of the row format. Compare only checksums of the same version."
  version: Int!
  "Sequence number of the newest block log entry whose changes are in the stored rows."
  seq: Long!
  "Height of the newest block whose changes are in the stored rows."
  number: Long!
  "Number of stored rows."
  rows: Long!
  "Sum of the checksums of all rows modulo 2^64, in hex."
  checksum: String!
}

"Progress of a sink, which sends events to an external system."
type SinkStatus {
  name: String!
  "One of: starting, forwarding, retrying, stopped, closed, done."
  state: String!
  "Height of the newest block sent; -1 if no block was sent."
  number: Long!
  "Number of solidified blocks not sent yet."
  behind: Long!
  "Reason why the sink sends no events. Null without a problem."
  problem: String
}

"A block."
type Block {
  "Height; genesis is 0."
  number: Long!
  "Block id: height in the first 8 bytes, then the last 24 bytes of the header hash."
  id: Bytes!
  "Id of the parent block."
  parentId: Bytes!
  "Time of the block's slot, in ms since 1970."
  timestamp: Long!
  "Address of the block producer."
  witnessAddress: Address!
  "The block producer, with its data at the head of this node. Null for genesis."
  witness: Witness
  "Block version of the producer's software."
  version: Int!
  "Merkle root of the transactions."
  transactionRoot: Bytes!
  "Signature of the block producer."
  witnessSignature: Bytes!
  "Encoded size in bytes."
  size: Int!
  "Number of transactions."
  transactionCount: Int!
  "State digest (hash over all changed rows) after the block. Null for a block that \`tronicle bootstrap\` imported, because this node did not execute the block."
  digest: Bytes
  "True if the block is solidified. A solidified block cannot be reverted."
  isSolidified: Boolean!
  "Transactions in block order, at most 100 per request. \`skip\` is the index of the first returned transaction."
  transactions(first: Int = 20, skip: Int = 0): [Transaction!]!
}

"A page of blocks."
type BlockPage {
  nodes: [Block!]!
  pageInfo: PageInfo!
}

"A transaction."
type Transaction {
  "Transaction id: SHA-256 of its raw data."
  id: Bytes!
  "Height of the block that contains the transaction. Null while pending."
  blockNumber: Long
  "Index of the transaction in its block, from 0. Null while pending."
  index: Int
  "Block that contains the transaction. Null while pending."
  block: Block
  "Name of the contract type, for example TransferContract."
  type: String!
  "Address of the sender. Null if the contract cannot be decoded."
  owner: Address
  "The sender's account at the head of this node. Null if the account does not exist."
  ownerAccount: Account
  "Receiver of a transfer, called contract, or first candidate of a vote. Null for other types."
  to: Address
  "Amount of a transfer, or TRX sent with a contract call. Unit: SUN, or the smallest unit of the asset for an asset transfer. Null for other types."
  amount: Long
  "Fields of the contract as JSON text, in the format of the HTTP API with visible = true."
  parameter: String
  "Expiration time, in ms since 1970. Nodes reject the transaction after this time."
  expiration: Long!
  "Timestamp set by the sender, in ms since 1970. Nodes do not check this value."
  timestamp: Long!
  "Maximum fee for energy that the sender pays, in SUN."
  feeLimit: Long!
  "Memo of the sender."
  data: Bytes!
  "Signatures of 65 bytes."
  signatures: [Bytes!]!
  "Name of the result stored in the block, for example SUCCESS or REVERT."
  result: String!
  "Execution result and resource use. Null while pending, and for genesis."
  receipt: Receipt
}

"Execution result and resource use of a transaction."
type Receipt {
  "Total fee, in SUN."
  fee: Long!
  "Energy covered by the caller's stake."
  energyUsage: Long!
  "TRX burned by the caller for energy, in SUN."
  energyFee: Long!
  "Energy covered by the stake of the contract's creator."
  originEnergyUsage: Long!
  "Total energy used, including the penalty."
  energyUsageTotal: Long!
  "Additional energy from the dynamic energy factor of a frequently called contract."
  energyPenaltyTotal: Long!
  "Bandwidth covered by stake or the free allowance, in bytes."
  netUsage: Long!
  "TRX burned for bandwidth or for a new account, in SUN."
  netFee: Long!
  "Name of the VM result. DEFAULT for transactions that run no smart contract."
  result: String!
  "True if the transaction failed."
  isFailed: Boolean!
  "Error message of a failed transaction, identical to java-tron's."
  message: String!
  "Data that the smart contract returned."
  contractResult: [Bytes!]!
  "Address of the called or created contract. Null for other transactions."
  contractAddress: Address
  "Rewards withdrawn, in SUN."
  withdrawAmount: Long!
  "Amount unstaked (stake 1.0), in SUN."
  unfreezeAmount: Long!
  "Unstaked amount withdrawn after its waiting time (stake 2.0), in SUN."
  withdrawExpireAmount: Long!
  "Events of smart contracts."
  logs: [Log!]!
  "Internal transactions. The node stores internal transactions only if vm.saveInternalTx is true."
  internalTransactions: [InternalTransaction!]!
}

"An event emitted by a smart contract."
type Log {
  "Address of the emitting contract."
  address: Address!
  "Up to four topics of 32 bytes. The first is usually the hash of the event signature."
  topics: [Bytes!]!
  data: Bytes!
  "Height of the block."
  blockNumber: Long!
  "Id of the emitting transaction."
  transactionId: Bytes!
  "Index of the transaction in its block."
  transactionIndex: Int!
  "Index of the log in its transaction."
  index: Int!
}

"A page of logs."
type LogPage {
  nodes: [Log!]!
  "Position of the page. A page searches at most 2,000 blocks; hasNextPage is also true if the search stopped at this limit."
  pageInfo: PageInfo!
}

"A call or transfer made by a smart contract."
type InternalTransaction {
  hash: Bytes!
  caller: Address!
  "Address of the receiver. Null if the internal transaction has no receiver."
  to: Address
  "TRX and TRC10 tokens sent with the internal transaction."
  values: [CallValue!]!
  "Kind, for example call, create, suicide or delegateResourceOfEnergy."
  note: String!
  "True if the internal transaction was reverted."
  rejected: Boolean!
  "Additional data as JSON text. Usually empty."
  extra: String!
}

"Amount of TRX or of a TRC10 token sent with an internal transaction."
type CallValue {
  "Amount in SUN, or in the smallest unit of the token."
  amount: Long!
  "Id of the token; empty for TRX."
  tokenId: String!
}

"Conditions for logs. All given conditions must match."
input LogFilter {
  "Height of the first block to search. Default: the lowest stored block. If the block is pruned, the error code is HISTORY_NOT_KEPT. Ignored in subscriptions."
  fromBlock: Long
  "Height of the last block to search. Default: the head. Ignored in subscriptions."
  toBlock: Long
  "Contracts whose logs match."
  addresses: [Address!]
  "Accepted topics for each position of a log's topics. An empty list accepts every topic at its position."
  topics: [[Bytes!]!]
}
`;
