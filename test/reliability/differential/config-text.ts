import { type Actor, founders, poor, rich } from './actors.js';
import type { ChainStory } from './chain-stories.js';
import type { RandomChoices } from './random-choices.js';

/**
 * Configuration keys of parameters, in the order in which the main net enabled them. A chain starts with the first ones
 * enabled.
 */
const SWITCHES = [
  ['allowCreationOfContracts = 1'],
  ['allowSameTokenName = 1'],
  ['allowDelegateResource = 1'],
  ['allowTvmTransferTrc10 = 1'],
  ['allowMultiSign = 1'],
  ['allowAdaptiveEnergy = 1'],
  ['allowTvmConstantinople = 1'],
  ['allowTvmSolidity059 = 1'],
  ['changedDelegation = 1'],
  ['forbidTransferToContract = 1'],
  ['allowShieldedTRC20Transaction = 1'],
  ['allowTvmIstanbul = 1'],
  ['allowMarketTransaction = 1'],
  ['allowTransactionFeePool = 1'],
  ['allowBlackHoleOptimization = 1'],
  ['allowNewResourceModel = 1'],
  ['allowTvmFreeze = 1'],
  ['allowTvmVote = 1'],
  ['allowAccountAssetOptimization = 1'],
  ['allowTvmLondon = 1'],
  ['allowTvmCompatibleEvm = 1'],
  ['allowHigherLimitForMaxCpuTimeOfOneTx = 1'],
  ['allowAssetOptimization = 1'],
  ['allowNewReward = 1'],
  ['memoFee = 1000'],
  ['allowDelegateOptimization = 1'],
  ['unfreezeDelayDays = 1'],
  ['allowOptimizedReturnValueOfChainId = 1'],
  [
    'allowDynamicEnergy = 1',
    'dynamicEnergyThreshold = 3000',
    'dynamicEnergyIncreaseFactor = 2000',
    'dynamicEnergyMaxFactor = 30000',
  ],
  ['allowTvmShangHai = 1'],
] as const;
/**
 * Numbers of enabled parameters with which contracts can stake by the rules before stake 2.0. With more parameters,
 * these rules are no longer in force.
 */
const OLD_STAKING = [17, 18, 20, 23, 25, 26] as const;
const LATER_SWITCHES = [
  ['allowOldRewardOpt = 1'],
  ['allowEnergyAdjustment = 1'],
  ['allowStrictMath = 1'],
  ['consensusLogicOptimization = 1'],
  ['allowTvmCancun = 1'],
  ['allowTvmBlob = 1'],
] as const;

/**
 * Parameters that are off on the main net and on most chains, each with the share of chains that enable it. More
 * chains enable the account state root, because it only adds data to compare.
 */
const OTHER_SWITCHES = [
  ['allowAccountStateRoot = 1', 0.7],
  ['allowProtoFilterNum = 1', 0.12],
  ['allowPBFT = 1', 0.12],
] as const;

const GENESIS_MS = 1_692_316_800_000;

/**
 * Returns the parameters that a new chain enables: the first ones in the order of the main net, or all. Sometimes a
 * few of them are omitted.
 */
export function chooseSwitches(random: RandomChoices, release: string, story?: ChainStory): readonly string[] {
  const all = release === '4.8.2' ? [...SWITCHES, ...LATER_SWITCHES] : SWITCHES;
  const count = story === undefined ? chooseCount(random, all.length) : random.between(...story.enabledCount);
  const others = OTHER_SWITCHES.filter(([, share]) => random.chance(share)).map(([name]) => name);
  const missing = story === undefined && random.chance(0.25) ? random.between(1, 4) : 0;
  const on = [...all.slice(0, count)];
  for (let at = 0; at < missing && on.length > 0; at++) on.splice(random.below(on.length), 1);
  return [...on.flat(), ...others];
}

function chooseCount(random: RandomChoices, all: number): number {
  if (random.chance(0.4)) return all;
  return random.chance(0.25) ? random.pick(OLD_STAKING) : random.below(all + 1);
}

/** Initial settings of a chain. */
export interface ChainKind {
  readonly switches: readonly string[];
  readonly witnesses: readonly Actor[];
  /** True if transactions with higher fees are included in blocks first. */
  readonly isSorted: boolean;
  /** Height from which the newer rule for the energy limit of calls applies. */
  readonly energyLimitBlock: number;
  readonly story: ChainStory | undefined;
}

const NO_EVENTS = 'event.subscribe { enable = false }';

/** Configuration without API servers, which are not needed while a chain grows. */
export const CLOSED_SERVERS = `http { fullNodeEnable = false, solidityEnable = false, PBFTEnable = false }
  rpc { enable = false, solidityEnable = false, PBFTEnable = false }
  jsonrpc { httpFullNodeEnable = false, httpSolidityEnable = false, httpPBFTEnable = false }`;

/**
 * Returns the configuration file of both nodes. It contains genesis, accounts, parameters and short maintenance
 * periods. No server listens, and no result depends on the clock.
 * @param events the section `event.subscribe`
 */
export function configText({ switches, witnesses, isSorted, energyLimitBlock }: ChainKind, events = NO_EVENTS): string {
  const asset = (name: string, address: string, balance: string): string =>
    `{ accountName = "${name}", accountType = "AssetIssue", address = "${address}", balance = "${balance}" }`;
  const assets = [
    asset('Zion', founders.zion.base58, '90000000000000000'),
    asset('Sun', founders.sun.base58, '0'),
    asset('Blackhole', founders.blackhole.base58, '-9223372036854775808'),
    ...rich.map(({ base58 }, at) => asset(`rich${at}`, base58, '1000000000000000')),
    ...poor.map(({ base58 }, at) => asset(`poor${at}`, base58, `${10 ** (at + 5)}`)),
    ...witnesses.map(({ base58 }, at) => asset(`witness${at}`, base58, '20000000000000')),
  ];
  const voted = witnesses.map(
    ({ base58 }, at) => `{ address = "${base58}", url = "http://${at}", voteCount = ${1000 - Math.floor(at / 6)} }`,
  );
  // Each active witness needs a slot in every period. Otherwise no new block version could be adopted.
  const periodMs = witnesses.length > 20 ? 120_000 : 60_000;
  return `net.type = mainnet
storage { db.version = 2, db.engine = "LEVELDB", db.sync = false, db.directory = "database", index.directory = "index"
  transHistory.switch = "on", balance.history.lookup = true, checkpoint.version = 1 }
node.discovery { enable = false, persist = false }
crypto.engine = "eckey"
node {
  openTransactionSort = ${isSorted}, listen.port = 0, p2p.version = 20231121, active = [], passive = []
  ${CLOSED_SERVERS}
}
seed.node.ip.list = []
genesis.block {
  assets = [ ${assets.join('\n')} ]
  witnesses = [ ${voted.join('\n')} ]
  timestamp = "${GENESIS_MS}"
  parentHash = "0xe58f33f9baf9305dc6f82b9f1934ea8f0ade2defb951258d50167028c780351f"
}
localwitness = []
block { needSyncCheck = false, maintenanceTimeInterval = ${periodMs}, proposalExpireTime = 60000 }
vm { supportConstant = true, minTimeRatio = 0.0, maxTimeRatio = 1000.0, saveInternalTx = true, saveFeaturedInternalTx = true }
committee {
  ${switches.join('\n  ')}
}
enery.limit.block.num = ${energyLimitBlock}
${events}
`;
}
