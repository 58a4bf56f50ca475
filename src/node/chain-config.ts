import type { Address } from '../domain/address.js';
import { TronError, UsageError } from '../domain/errors.js';
import type { Genesis, LedgerOptions, Retention } from '../projections/ledger/ledger.js';
import { genesisBlock, genesisRows, type InitialValues } from '../vm/block/genesis-state.js';
import { PROPOSAL_EXPIRE_BOUNDS } from '../vm/proposals/parameters-4.8.js';
import { releaseNamed } from '../vm/releases/index.js';
import type { Release } from '../vm/releases/release.js';
import type { ChainRules } from '../vm/state/chain-rules.js';
import type { LongProperty } from '../vm/state/property-table.js';
import type { NodeConfig } from './config/load-config.js';

type Committee = NodeConfig['committee'];

/** Keys of `committee` whose value is the initial one of a property; absent keys are 0. Reference: DynamicPropertiesStore. */
const committeeProperties: readonly (readonly [keyof Committee, LongProperty])[] = [
  ['allowCreationOfContracts', 'ALLOW_CREATION_OF_CONTRACTS'],
  ['allowMultiSign', 'ALLOW_MULTI_SIGN'],
  ['allowAdaptiveEnergy', 'ALLOW_ADAPTIVE_ENERGY'],
  ['allowDelegateResource', 'ALLOW_DELEGATE_RESOURCE'],
  ['allowSameTokenName', 'ALLOW_SAME_TOKEN_NAME'],
  ['allowTvmTransferTrc10', 'ALLOW_TVM_TRANSFER_TRC10'],
  ['allowTvmConstantinople', 'ALLOW_TVM_CONSTANTINOPLE'],
  ['allowTvmSolidity059', 'ALLOW_TVM_SOLIDITY_059'],
  ['forbidTransferToContract', 'FORBID_TRANSFER_TO_CONTRACT'],
  ['allowShieldedTRC20Transaction', 'ALLOW_SHIELDED_TRC20_TRANSACTION'],
  ['allowMarketTransaction', 'ALLOW_MARKET_TRANSACTION'],
  ['allowTransactionFeePool', 'ALLOW_TRANSACTION_FEE_POOL'],
  ['allowBlackHoleOptimization', 'ALLOW_BLACKHOLE_OPTIMIZATION'],
  ['allowNewResourceModel', 'ALLOW_NEW_RESOURCE_MODEL'],
  ['allowTvmIstanbul', 'ALLOW_TVM_ISTANBUL'],
  ['allowProtoFilterNum', 'ALLOW_PROTO_FILTER_NUM'],
  ['allowAccountStateRoot', 'ALLOW_ACCOUNT_STATE_ROOT'],
  ['changedDelegation', 'CHANGE_DELEGATION'],
  ['allowPBFT', 'ALLOW_PBFT'],
  ['allowTvmFreeze', 'ALLOW_TVM_FREEZE'],
  ['allowTvmVote', 'ALLOW_TVM_VOTE'],
  ['allowTvmLondon', 'ALLOW_TVM_LONDON'],
  ['allowTvmCompatibleEvm', 'ALLOW_TVM_COMPATIBLE_EVM'],
  ['allowHigherLimitForMaxCpuTimeOfOneTx', 'ALLOW_HIGHER_LIMIT_FOR_MAX_CPU_TIME_OF_ONE_TX'],
  ['allowAccountAssetOptimization', 'ALLOW_ACCOUNT_ASSET_OPTIMIZATION'],
  ['allowAssetOptimization', 'ALLOW_ASSET_OPTIMIZATION'],
  ['allowNewReward', 'ALLOW_NEW_REWARD'],
  ['memoFee', 'MEMO_FEE'],
  ['allowDelegateOptimization', 'ALLOW_DELEGATE_OPTIMIZATION'],
  ['unfreezeDelayDays', 'UNFREEZE_DELAY_DAYS'],
  ['allowDynamicEnergy', 'ALLOW_DYNAMIC_ENERGY'],
  ['dynamicEnergyThreshold', 'DYNAMIC_ENERGY_THRESHOLD'],
  ['dynamicEnergyIncreaseFactor', 'DYNAMIC_ENERGY_INCREASE_FACTOR'],
  ['dynamicEnergyMaxFactor', 'DYNAMIC_ENERGY_MAX_FACTOR'],
  ['allowOptimizedReturnValueOfChainId', 'ALLOW_OPTIMIZED_RETURN_VALUE_OF_CHAIN_ID'],
];

/** Keys of `committee` that are read while the chain has not stored the property: no start writes it. */
const readWhenAbsent: readonly (readonly [keyof Committee, LongProperty])[] = [
  ['allowTvmShangHai', 'ALLOW_TVM_SHANGHAI'],
  ['allowOldRewardOpt', 'ALLOW_OLD_REWARD_OPT'],
  ['allowEnergyAdjustment', 'ALLOW_ENERGY_ADJUSTMENT'],
  ['allowStrictMath', 'ALLOW_STRICT_MATH'],
  ['consensusLogicOptimization', 'CONSENSUS_LOGIC_OPTIMIZATION'],
  ['allowTvmCancun', 'ALLOW_TVM_CANCUN'],
  ['allowTvmBlob', 'ALLOW_TVM_BLOB'],
];

/** What the rules take from the configuration. @throws {UsageError} a genesis without a blackhole account */
export function chainRules(config: NodeConfig): ChainRules {
  const { genesis, block, storage } = config;
  const release = releaseNamed(config.tronicle.release)!;
  requireMeaning(config, release);
  const named = (name: string): Address | undefined =>
    genesis.accounts.findLast((account) => account.name === name)?.address as Address | undefined;
  const blackhole = named('Blackhole');
  if (blackhole === undefined)
    throw new UsageError('genesis.block.assets names no account "Blackhole", which receives fees');
  return {
    addressPrefix: config.addressPrefix,
    genesisTimeMs: genesis.timestamp,
    genesisId: genesisBlock(genesis).id,
    genesisWitnesses: genesis.witnesses.map(({ address, voteCount }) => ({ address: address as Address, voteCount })),
    blackhole,
    zion: named('Zion'),
    checkFrozenTime: block.checkFrozenTime === 1,
    energyLimitBlock: Number(config.energyLimitBlockNum),
    tracesBalances: storage.balance.history.lookup,
    allowedContracts: new Set(config.actuatorWhitelist),
    tellsRestaked: release.rules.tellsRestaked && config.vm.saveCancelAllUnfreezeV2Details,
    debug: config.debug,
    minTimeRatio: config.vm.minTimeRatio,
    maxTimeRatio: config.vm.maxTimeRatio,
    configured: configuredValues(config, release),
    release,
  };
}

/** Values of the parameters that the release knows make sense. @throws {UsageError} with the reference's texts */
function requireMeaning({ block, committee }: NodeConfig, { parameters }: Release): void {
  const life = BigInt(block.proposalExpireTime);
  const { above, below } = PROPOSAL_EXPIRE_BOUNDS;
  if (parameters.has(92n) && (life <= above || life >= below)) {
    const allowed = `greater than ${above} and less than ${below}!`;
    throw new UsageError(`The value[block.proposalExpireTime] is only allowed to be ${allowed}`);
  }
  const { allowOldRewardOpt, allowNewRewardAlgorithm, allowNewReward, allowTvmVote } = committee;
  if (!parameters.has(79n) || BigInt(allowOldRewardOpt) !== 1n) return;
  if ([allowNewRewardAlgorithm, allowNewReward, allowTvmVote].some((value) => BigInt(value) === 1n)) return;
  throw new UsageError(
    'At least one of the following proposals is required to be opened first: committee.allowNewRewardAlgorithm = 1' +
      ' or committee.allowNewReward = 1 or committee.allowTvmVote = 1.',
  );
}

/** Values of rows that no start writes; switches that the release does not know are off whatever the file says. */
function configuredValues({ committee, block }: NodeConfig, release: Release): ReadonlyMap<LongProperty, bigint> {
  const known = new Set([...release.parameters.values()].map(({ property }) => property));
  const rows = readWhenAbsent.filter(([, property]) => known.has(property));
  return new Map([
    ...rows.map(([key, property]) => [property, BigInt(committee[key])] as const),
    ['PROPOSAL_EXPIRE_TIME', BigInt(block.proposalExpireTime)],
  ]);
}

/** What every ledger over the node's folder is opened with, in whichever thread. */
export function ledgerOptions({
  tronicle,
  storage,
}: NodeConfig): Pick<LedgerOptions, 'retention' | 'logRetention' | 'checkpointVersion' | 'checkRate'> {
  const { history, log } = tronicle;
  return {
    retention: lesserRetention(history.retention, log.retention),
    logRetention: log.retention,
    checkpointVersion: storage.checkpoint.version === 2 ? 2 : 1,
    checkRate: tronicle.check,
  };
}

/** What a block changed leaves with the block. */
export function lesserRetention(history: Retention, log: number | 'all'): Retention {
  if (log === 'all' || history === 'unsolidified') return history;
  return history === 'all' ? log : Math.min(history, log);
}

/** Block 0 and its rows, for a new data folder. */
export function genesisOf(config: NodeConfig, rules: ChainRules): Genesis {
  const block = genesisBlock(config.genesis);
  const rows = genesisRows(config.genesis, rules, initialValues(config));
  return {
    id: block.id,
    blockBytes: block.bytes,
    rows: rows.map(({ store, key, after }) => {
      if (after === undefined) throw new TronError('GENESIS', 'a row of genesis has no value');
      return { store, key, value: after };
    }),
  };
}

function initialValues({ committee, block }: NodeConfig): InitialValues {
  const values = new Map<LongProperty, bigint>();
  for (const [key, property] of committeeProperties) values.set(property, BigInt(committee[key]));
  values.set('MAINTENANCE_TIME_INTERVAL', BigInt(block.maintenanceTimeInterval));
  const startsNewReward = [committee.allowNewRewardAlgorithm, committee.allowTvmVote, committee.allowNewReward];
  if (startsNewReward.some((value) => BigInt(value) === 1n)) values.set('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE', 0n);
  return values;
}
