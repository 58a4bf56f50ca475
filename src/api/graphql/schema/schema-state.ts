/** GraphQL schema of the state: accounts, stake, witnesses, proposals, assets, contracts. */
export const stateSchema = /* GraphQL */ `
"Version of the staking rules."
enum StakeEra {
  "Stake 1.0, with a fixed lock time and one record per receiver."
  V1
  "Stake 2.0 (default)."
  V2
}

"An account after a block."
type Account {
  "Height of the block after which the data is read."
  height: Long!
  address: Address!
  name: String!
  "Normal, AssetIssue or Contract."
  type: String!
  "Balance in SUN."
  balance: Long!
  "Rewards credited and not yet withdrawn, in SUN."
  allowance: Long!
  "Creation time, in ms since 1970."
  createTime: Long!
  "Time of the last reward withdrawal, in ms since 1970."
  latestWithdrawTime: Long!
  "True if the account is a witness (block producer candidate)."
  isWitness: Boolean!
  "Used amount and limit of bandwidth, energy and votes."
  resources: Resources!
  "Stake 1.0."
  stakeV1: StakeV1!
  "Stake 2.0."
  stakeV2: StakeV2!
  "Stake that this account delegates to other accounts."
  delegationsTo(era: StakeEra = V2, first: Int = 20, after: Cursor): DelegationPage!
  "Stake that other accounts delegate to this account."
  delegationsFrom(era: StakeEra = V2, first: Int = 20, after: Cursor): DelegationPage!
  "Votes of this account for witnesses."
  votes: [Vote!]!
  "Owner, witness and active permissions stored in the account. If none is stored, the default permissions apply."
  permissions: [Permission!]!
  "TRC10 balances in order of asset id."
  assets(first: Int = 20, after: Cursor): AssetBalancePage!
  "Smart contract at this address. Null if the account is not a smart contract."
  contract: Contract
}

"Resources of an account at its height."
type Resources {
  "Free bandwidth used, in bytes."
  freeNetUsed: Long!
  "Total free bandwidth, in bytes."
  freeNetLimit: Long!
  "Bandwidth from stake used, in bytes."
  netUsed: Long!
  "Total bandwidth from stake, in bytes."
  netLimit: Long!
  "Energy used."
  energyUsed: Long!
  "Total energy from stake."
  energyLimit: Long!
  "Votes cast."
  tronPowerUsed: Long!
  "Total votes (tron power): one vote per staked TRX."
  tronPowerLimit: Long!
}

"Stake 1.0 of an account."
type StakeV1 {
  "Own stake for bandwidth, in SUN."
  bandwidth: Long!
  "Time from which the stake for bandwidth can be unstaked, in ms since 1970; 0 without stake."
  bandwidthExpireTime: Long!
  "Own stake for energy, in SUN."
  energy: Long!
  "Time from which the stake for energy can be unstaked, in ms since 1970; 0 without stake."
  energyExpireTime: Long!
  "Own stake for votes only, in SUN."
  tronPower: Long!
  "Own stake for bandwidth that is delegated to other accounts, in SUN."
  delegatedBandwidth: Long!
  "Own stake for energy that is delegated to other accounts, in SUN."
  delegatedEnergy: Long!
  "Stake for bandwidth that other accounts delegate to this account, in SUN."
  acquiredBandwidth: Long!
  "Stake for energy that other accounts delegate to this account, in SUN."
  acquiredEnergy: Long!
}

"Stake 2.0 of an account."
type StakeV2 {
  "Own stake for bandwidth that is not delegated, in SUN."
  bandwidth: Long!
  "Own stake for energy that is not delegated, in SUN."
  energy: Long!
  "Own stake for votes only, in SUN."
  tronPower: Long!
  "Own stake for bandwidth that is delegated to other accounts, in SUN."
  delegatedBandwidth: Long!
  "Own stake for energy that is delegated to other accounts, in SUN."
  delegatedEnergy: Long!
  "Stake for bandwidth that other accounts delegate to this account, in SUN."
  acquiredBandwidth: Long!
  "Stake for energy that other accounts delegate to this account, in SUN."
  acquiredEnergy: Long!
  "Unstaked amounts that are not withdrawn yet."
  unstaking: [Unstaking!]!
}

"Unstaked amount that is not withdrawn yet."
type Unstaking {
  "BANDWIDTH, ENERGY or TRON_POWER."
  resource: String!
  "Amount in SUN."
  amount: Long!
  "Time from which the amount can be withdrawn, in ms since 1970."
  expireTime: Long!
}

"Stake that one account delegates to another."
type Delegation {
  from: Address!
  to: Address!
  "Stake for bandwidth, in SUN."
  bandwidth: Long!
  "Stake for energy, in SUN."
  energy: Long!
  "Time until which the stake for bandwidth is locked, in ms since 1970; 0 if not locked."
  bandwidthExpireTime: Long!
  "Time until which the stake for energy is locked, in ms since 1970; 0 if not locked."
  energyExpireTime: Long!
}

type DelegationPage {
  nodes: [Delegation!]!
  pageInfo: PageInfo!
}

"Votes of an account for one witness."
type Vote {
  witnessAddress: Address!
  "Number of votes."
  count: Long!
  "The witness, with data at the account's height."
  witness: Witness
}

"Permission of an account: keys, weights and allowed contract types."
type Permission {
  "Owner, Witness or Active."
  type: String!
  id: Int!
  name: String!
  "Minimum sum of the weights of the signing keys."
  threshold: Long!
  "Bit set of the allowed contract types of an active permission. Empty for other permissions."
  operations: Bytes!
  keys: [PermissionKey!]!
}

type PermissionKey {
  address: Address!
  weight: Long!
}

"Balance of a TRC10 asset."
type AssetBalance {
  "Id of the asset. While the chain does not allow duplicate asset names (ALLOW_SAME_TOKEN_NAME = 0), the name of the asset."
  assetId: String!
  "Amount in the asset's smallest unit."
  amount: Long!
}

type AssetBalancePage {
  nodes: [AssetBalance!]!
  pageInfo: PageInfo!
}

"A candidate for producing blocks."
type Witness {
  address: Address!
  "Votes counted at the last maintenance."
  voteCount: Long!
  url: String!
  "Number of blocks produced."
  totalProduced: Long!
  "Number of slots missed."
  totalMissed: Long!
  "Height of the newest block that the witness produced."
  latestBlockNumber: Long!
  "True if the witness is in the current set of block producers."
  isActive: Boolean!
}

type WitnessPage {
  nodes: [Witness!]!
  pageInfo: PageInfo!
}

"A proposal to change chain parameters."
type Proposal {
  id: Long!
  proposer: Address!
  parameters: [ProposalParameter!]!
  "Creation time, in ms since 1970."
  createTime: Long!
  "Time at which the approvals are counted, in ms since 1970."
  expirationTime: Long!
  "Addresses of the witnesses that approve the proposal."
  approvals: [Address!]!
  "PENDING, DISAPPROVED, APPROVED or CANCELED."
  state: String!
}

type ProposalParameter {
  "Id of the chain parameter."
  id: Long!
  "Proposed value, in the parameter's own unit."
  value: Long!
}

type ProposalPage {
  nodes: [Proposal!]!
  pageInfo: PageInfo!
}

"A TRC10 asset."
type Asset {
  id: String!
  name: String!
  abbreviation: String!
  owner: Address!
  "Total supply in the smallest unit."
  totalSupply: Long!
  "Number of decimal places."
  precision: Int!
  "SUN part of the sale price: \`trxNum\` SUN buy \`num\` units."
  trxNum: Int!
  "Unit part of the sale price: \`trxNum\` SUN buy \`num\` units."
  num: Int!
  "Start of the sale, in ms since 1970."
  startTime: Long!
  "End of the sale, in ms since 1970."
  endTime: Long!
  description: String!
  url: String!
}

type AssetPage {
  nodes: [Asset!]!
  pageInfo: PageInfo!
}

"A smart contract after a block."
type Contract {
  "Height of the block after which the data is read."
  height: Long!
  address: Address!
  "Address of the creator."
  originAddress: Address!
  name: String!
  "ABI as JSON text, in the format of the HTTP API. Null if the contract has no ABI."
  abi: String
  "Creation bytecode."
  bytecode: Bytes!
  "Runtime bytecode."
  runtimeCode: Bytes!
  codeHash: Bytes!
  "Share of the energy that the caller pays, in percent. The creator pays the rest."
  consumeUserResourcePercent: Long!
  "Maximum energy that the creator pays per call."
  originEnergyLimit: Long!
  "Energy that calls of the contract used in the current maintenance cycle. Input of the dynamic energy factor of the next cycle."
  energyUsage: Long!
  "Dynamic energy factor: increase of the contract's energy use, in units of 0.01 %."
  energyFactor: Long!
}
`;
