/** What state holds: accounts, stake, witnesses, proposals, assets, contracts. */
export const stateSchema = /* GraphQL */ `
"Which way of staking."
enum StakeEra {
  "Stake 1.0: fixed time, one row for each receiver."
  V1
  "Stake 2.0."
  V2
}

"An account after a block."
type Account {
  "The height that the answer is about."
  height: Long!
  address: Address!
  name: String!
  "Normal, AssetIssue or Contract."
  type: String!
  "SUN."
  balance: Long!
  "Reward that was settled and not yet withdrawn, SUN."
  allowance: Long!
  "ms since 1970."
  createTime: Long!
  "Time of the last withdrawal of rewards, ms since 1970."
  latestWithdrawTime: Long!
  isWitness: Boolean!
  resources: Resources!
  "Stake 1.0."
  stakeV1: StakeV1!
  "Stake 2.0."
  stakeV2: StakeV2!
  "Stake that this account lent others."
  delegationsTo(era: StakeEra = V2, first: Int = 20, after: Cursor): DelegationPage!
  "Stake that others lent this account."
  delegationsFrom(era: StakeEra = V2, first: Int = 20, after: Cursor): DelegationPage!
  votes: [Vote!]!
  "Owner, witness and active permissions that are set."
  permissions: [Permission!]!
  "TRC10 balances."
  assets(first: Int = 20, after: Cursor): AssetBalancePage!
  "The smart contract at this address."
  contract: Contract
}

"What an account may use at its height."
type Resources {
  "Free bandwidth used and allowed, bytes."
  freeNetUsed: Long!
  freeNetLimit: Long!
  "Bandwidth of stake used and allowed, bytes."
  netUsed: Long!
  netLimit: Long!
  "Energy used and allowed."
  energyUsed: Long!
  energyLimit: Long!
  "Votes given and allowed (tron power: one for each staked TRX)."
  tronPowerUsed: Long!
  tronPowerLimit: Long!
}

"Stake 1.0 of an account."
type StakeV1 {
  "Own stake for bandwidth, SUN."
  bandwidth: Long!
  "When it can be taken back, ms since 1970; 0 without stake."
  bandwidthExpireTime: Long!
  "Own stake for energy, SUN."
  energy: Long!
  "When it can be taken back, ms since 1970; 0 without stake."
  energyExpireTime: Long!
  "Own stake for votes only, SUN."
  tronPower: Long!
  "Lent to others, SUN."
  delegatedBandwidth: Long!
  "Lent to others, SUN."
  delegatedEnergy: Long!
  "Lent by others, SUN."
  acquiredBandwidth: Long!
  "Lent by others, SUN."
  acquiredEnergy: Long!
}

"Stake 2.0 of an account."
type StakeV2 {
  "Own stake for bandwidth that is not lent, SUN."
  bandwidth: Long!
  "Own stake for energy that is not lent, SUN."
  energy: Long!
  "Own stake for votes only, SUN."
  tronPower: Long!
  "Lent to others, SUN."
  delegatedBandwidth: Long!
  "Lent to others, SUN."
  delegatedEnergy: Long!
  "Lent by others, SUN."
  acquiredBandwidth: Long!
  "Lent by others, SUN."
  acquiredEnergy: Long!
  "What waits to be withdrawn."
  unstaking: [Unstaking!]!
}

"Stake that was given up and waits."
type Unstaking {
  "BANDWIDTH, ENERGY or TRON_POWER."
  resource: String!
  "SUN."
  amount: Long!
  "From when on it can be withdrawn, ms since 1970."
  expireTime: Long!
}

"Stake that one account lent another."
type Delegation {
  from: Address!
  to: Address!
  "SUN."
  bandwidth: Long!
  "SUN."
  energy: Long!
  "Locked until, ms since 1970; 0: not locked."
  bandwidthExpireTime: Long!
  "Locked until, ms since 1970; 0: not locked."
  energyExpireTime: Long!
}

type DelegationPage {
  nodes: [Delegation!]!
  pageInfo: PageInfo!
}

"Votes of an account for one candidate."
type Vote {
  witnessAddress: Address!
  "Number of votes."
  count: Long!
  "The candidate at the account's height."
  witness: Witness
}

"Who may sign what for an account."
type Permission {
  "Owner, Witness or Active."
  type: String!
  id: Int!
  name: String!
  "Weight that signatures must reach."
  threshold: Long!
  "Bit set of contract types; empty but for active permissions."
  operations: Bytes!
  keys: [PermissionKey!]!
}

type PermissionKey {
  address: Address!
  weight: Long!
}

"Balance of a TRC10 asset."
type AssetBalance {
  "Id of the asset; its name on a chain where names do not repeat yet."
  assetId: String!
  "In the asset's smallest unit."
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
  "Blocks produced."
  totalProduced: Long!
  "Slots missed."
  totalMissed: Long!
  "Height of its newest block."
  latestBlockNumber: Long!
  "True for one of those who produce now."
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
  "ms since 1970."
  createTime: Long!
  "When it is counted, ms since 1970."
  expirationTime: Long!
  "Witnesses that approved it."
  approvals: [Address!]!
  "PENDING, DISAPPROVED, APPROVED or CANCELED."
  state: String!
}

type ProposalParameter {
  "Number of the parameter."
  id: Long!
  "In the parameter's own unit."
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
  "In the smallest unit."
  totalSupply: Long!
  "Decimal places."
  precision: Int!
  "SUN that buy \`num\` units while it is sold."
  trxNum: Int!
  "Units that \`trxNum\` SUN buy."
  num: Int!
  "Sale, ms since 1970."
  startTime: Long!
  "Sale, ms since 1970."
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
  "The height that the answer is about."
  height: Long!
  address: Address!
  "Who created it."
  originAddress: Address!
  name: String!
  "Interface, JSON text as the HTTP interface prints it; null without one."
  abi: String
  "Code that created it."
  bytecode: Bytes!
  "Code that runs."
  runtimeCode: Bytes!
  codeHash: Bytes!
  "Share of the energy that callers pay, percent."
  consumeUserResourcePercent: Long!
  "Most energy that the creator pays for one call."
  originEnergyLimit: Long!
  "Energy used in this cycle; what the dynamic price depends on."
  energyUsage: Long!
  "Addition to the energy price, in ten-thousandths."
  energyFactor: Long!
}
`;
