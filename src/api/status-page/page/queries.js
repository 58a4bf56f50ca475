/** What the page asks; a test checks each against the schema. */

const BLOCK = 'number id timestamp witnessAddress transactionCount';
const TRANSACTION = 'id type owner to amount blockNumber result';

const NODE = `release headNumber solidifiedNumber pending transactionsPerSecond peers logSeq cursor
  projections { name number behind } sinks { name state number behind problem } replica { lagRecords lagSeconds isConnected }`;

export const STATUS = `{ status { ${NODE} } }`;

export const LIVE_STATUS = `subscription { status { ${NODE} } }`;

export const RECENT = `{ blocks(first: 20) { nodes { ${BLOCK} transactions(first: 20) { ${TRANSACTION} } } } }`;

export const LIVE = `subscription ($after: Cursor) { blocks(finality: APPLIED, after: $after) {
  cursor kind block { ${BLOCK} transactions(first: 20) { ${TRANSACTION} } } } }`;

export const FIND_BLOCK = `query ($number: Long, $id: Bytes) { block(number: $number, id: $id) {
  ${BLOCK} parentId size version isSolidified digest transactions(first: 100) { ${TRANSACTION} } } }`;

export const FIND_TRANSACTION = `query ($id: Bytes!) { transaction(id: $id) { ${TRANSACTION} index timestamp expiration parameter
  receipt { fee energyUsageTotal netUsage netFee result message logs { address topics data } } } }`;

export const FIND_ACCOUNT = `query ($address: Address!) { account(address: $address) {
  height address name type balance allowance createTime isWitness
  resources { freeNetUsed freeNetLimit netUsed netLimit energyUsed energyLimit tronPowerUsed tronPowerLimit }
  stakeV1 { bandwidth energy } stakeV2 { bandwidth energy delegatedBandwidth delegatedEnergy acquiredBandwidth acquiredEnergy }
  votes { witnessAddress count } contract { name originAddress } } }`;
