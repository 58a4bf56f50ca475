/** GraphQL queries of the page. A test checks each query against the schema. */

const BLOCK = 'number id timestamp witnessAddress transactionCount';
const TRANSACTION = 'id type owner to amount blockNumber result';
const DECODED = 'name declaration parameters { name type value }';
const TRANSFER = 'kind token from to amount tokenId blockNumber transactionId';

const NODE = `release headNumber headTime solidifiedNumber pending transactionsPerSecond peers logSeq cursor keptHeight
  projections { name number behind } sinks { name state number behind problem } replica { lagRecords lagSeconds isConnected }
  storageProblem
  stateProjections { name description number rows checksum }`;

export const STATUS = `{ status { ${NODE} } }`;

export const LIVE_STATUS = `subscription { status { ${NODE} } }`;

export const RECENT = `{ blocks(first: 20) { nodes { ${BLOCK} transactions(first: 20) { ${TRANSACTION} } } } }`;

export const LIVE = `subscription ($after: Cursor) { blocks(finality: APPLIED, after: $after) {
  cursor kind block { ${BLOCK} usage { energy bandwidth } transactions(first: 20) { ${TRANSACTION} } } } }`;

/** Reads the usage of the newest blocks. 36 is the maximum number within the cost limit of a query. */
export const USAGE = '{ blocks(first: 36) { nodes { number timestamp transactionCount usage { energy bandwidth } } } }';

export const NETWORK = '{ network { height energyStake bandwidthStake } }';

export const FIND_BLOCK = `query ($number: Long, $id: Bytes) { block(number: $number, id: $id) {
  ${BLOCK} parentId size version isSolidified digest usage { energy bandwidth } transactions(first: 100) { ${TRANSACTION} } } }`;

export const FIND_TRANSACTION = `query ($id: Bytes!) { transaction(id: $id) { ${TRANSACTION} index timestamp expiration parameter
  call { ${DECODED} } transfers { ${TRANSFER} }
  receipt { fee energyUsageTotal netUsage netFee result message contractAddress
    logs { address topics data event { ${DECODED} } } } } }`;

export const FIND_ACCOUNT = `query ($address: Address!) { account(address: $address) {
  height address name type balance allowance createTime isWitness
  resources { freeNetUsed freeNetLimit netUsed netLimit energyUsed energyLimit tronPowerUsed tronPowerLimit }
  stakeV1 { bandwidth energy }
  stakeV2 { bandwidth energy delegatedBandwidth delegatedEnergy acquiredBandwidth acquiredEnergy
    unstaking { resource amount expireTime } }
  votes { witnessAddress count } contract { name originAddress } } }`;

export const ACCOUNT_TRANSFERS = `query ($address: Address!, $after: Cursor) { account(address: $address) {
  transfers(first: 20, after: $after) { nodes { ${TRANSFER} } pageInfo { hasNextPage endCursor } } } }`;

export const ACCOUNT_TRANSACTIONS = `query ($address: Address!, $after: Cursor) { account(address: $address) {
  transactions(first: 20, after: $after) { nodes { ${TRANSACTION} } pageInfo { hasNextPage endCursor } } } }`;

/** Returns a query for the decoded calls and transfers of transactions, as `t0`, `t1` and so on. */
export const transactionParts = (
  ids,
) => `{ ${ids.map((id, at) => `t${at}: transaction(id: "${id}") { ...P }`).join(' ')} }
  fragment P on Transaction { call { name } transfers { kind token amount tokenId } }`;

/** Maximum number of tokens in one query, because of the cost limit of queries. */
export const TOKENS_MAX = 4;
/** Returns a query for symbol, name and decimals of tokens, as `t0` and so on. */
export const tokensOf = (ids) =>
  `{ ${ids.map((id, at) => `t${at}: token(id: "${id}") { symbol name decimals }`).join(' ')} }`;

/** Returns a query for the network's stake at heights, as `a0` and so on, and the block times, as `b0`. */
export const networkAt = (heights) =>
  `{ ${heights
    .map((height, at) => `a${at}: network(at: ${height}) { ...S } b${at}: block(number: ${height}) { timestamp }`)
    .join(' ')} } fragment S on Network { energyStake bandwidthStake }`;

/** Returns a query for an account at heights, as `a0` and so on, and the block times, as `b0`. */
export const accountAt = (heights) => `query ($address: Address!) { ${heights
  .map(
    (height, at) =>
      `a${at}: account(address: $address, at: ${height}) { ...S } b${at}: block(number: ${height}) { timestamp }`,
  )
  .join(' ')} } fragment S on Account { balance stakeV1 { bandwidth energy }
  stakeV2 { bandwidth energy delegatedBandwidth delegatedEnergy }
  resources { freeNetUsed netUsed energyUsed } }`;
