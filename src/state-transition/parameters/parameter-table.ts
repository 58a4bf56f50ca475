import type { ContractTypeName } from '../contract-types.js';
import { type BlockVersion, VERSION } from './block-versions.js';

/** Releases that added parameters, oldest first. */
const parameterReleases = ['4.7.2', '4.8.2', '4.8.2.3'] as const;
type ParameterRelease = (typeof parameterReleases)[number];

/** Valid values of a parameter, and the error text for invalid values. */
interface ParameterValues {
  readonly min: bigint;
  readonly max: bigint;
  /** Returns the error text for an invalid value. @param name name of the parameter in error texts */
  readonly refusal: (name: string) => string;
}

/**
 * Definition of a chain parameter, or of a variable that clients see among the parameters. The property, the proposal,
 * the configuration key, the API entry and the TVM rule are all derived from this row.
 */
interface Row<Property extends string> {
  /** Id of the parameter in proposals. If absent, clients see the variable, but witnesses cannot vote on it. */
  readonly id?: number;
  readonly property: Property;
  /** Name in error texts. If absent, the name of the property. */
  readonly named?: string;
  /**
   * Value at the start of a chain, unless the configuration sets another value. If absent, no row is written at the
   * start.
   */
  readonly initial?: bigint;
  /** Value of the property while it has no row. Default: 0. */
  readonly absent?: bigint;
  /** Release that added the parameter. If absent, 4.7.2 or older. */
  readonly since?: Exclude<ParameterRelease, '4.7.2'>;
  /** First block version in which the parameter can be proposed. If absent, it can always be proposed. */
  readonly fork?: BlockVersion;
  /** First block version in which the parameter can no longer be proposed. If absent, there is no such version. */
  readonly closedBy?: BlockVersion;
  /** Names of checks in `validate-parameter.ts`. They run before the check of the bounds. */
  readonly before?: readonly string[];
  /** Valid values. If absent, every value is valid unless `check` rejects it. */
  readonly values?: ParameterValues;
  /** Name of a check in `validate-parameter.ts`. It runs after the check of the bounds. */
  readonly check?: string;
  /**
   * Parameters that must be on before this one can be proposed: their properties must not be 0. Checked in this
   * order.
   */
  readonly requires?: readonly string[];
  /** Set if an approved value is stored only while the property is 0. */
  readonly once?: true;
  /** Name of the action to execute when the proposal is approved, instead of storing the value. */
  readonly effect?: string;
  /** Property with the history of approved values and their start times. */
  readonly history?: string;
  /**
   * Contract types that an approved value enables. The default active permission of new accounts then allows these
   * types.
   */
  readonly opens?: readonly ContractTypeName[];
  /** Key of the value in the answer of `getchainparameters`. */
  readonly shown?: string;
  /** Divisor of the value that `getchainparameters` shows. */
  readonly shownPer?: bigint;
  /**
   * Key in the section `committee` of the configuration. Its value applies at the start of a chain, and while the
   * property has no row.
   */
  readonly config?: string;
  /** Set if the configuration value is a long instead of an int. Keys of parameters with `since` are always longs. */
  readonly long?: true;
  /**
   * Set if the configuration value is a long that is clamped to the range from 0 to the greatest valid value of a
   * proposal.
   */
  readonly clamped?: true;
  /** Sentence that is added to the description of the configuration key. */
  readonly note?: string;
  /**
   * Name of the TVM rule in `RuleSet` that the parameter enables. The rule is on if the value is 1. For a parameter
   * with more values, it is on if the value is above 0.
   */
  readonly rule?: string;
}

/** Values of a parameter that can only be turned on. */
const ON: ParameterValues = allowed(1n, 1n, '1');
const ON_OR_OFF: ParameterValues = allowed(0n, 1n, '1 or 0');
export const WIDE: ParameterValues = valid(0n, 100_000_000_000_000_000n, '[0,100000000000000000]');

/**
 * Exclusive bounds of a proposal's lifetime in ms: above 0, and below one year plus 3 s. Reference: Constant.MIN_ and
 * MAX_PROPOSAL_EXPIRE_TIME.
 */
export const PROPOSAL_EXPIRE_BOUNDS = { above: 0n, below: 31_536_003_000n } as const;

/**
 * All parameters, in the order in which java-tron shows them.
 * Reference: ProposalUtil.ProposalType, DynamicPropertiesStore, Wallet.getChainParameters.
 */
const rows = [
  { id: 0, property: 'MAINTENANCE_TIME_INTERVAL', initial: 21_600_000n, values: valid(81_000n, 86_400_000n, '[3 * 27 * 1000,24 * 3600 * 1000]'), shown: 'getMaintenanceTimeInterval' },
  { id: 1, property: 'ACCOUNT_UPGRADE_COST', initial: 9_999_000_000n, values: WIDE, shown: 'getAccountUpgradeCost' },
  { id: 2, property: 'CREATE_ACCOUNT_FEE', initial: 100_000n, values: WIDE, shown: 'getCreateAccountFee' },
  { id: 3, property: 'TRANSACTION_FEE', initial: 10n, values: WIDE, history: 'BANDWIDTH_PRICE_HISTORY', shown: 'getTransactionFee' },
  { id: 4, property: 'ASSET_ISSUE_FEE', initial: 1_024_000_000n, values: WIDE, shown: 'getAssetIssueFee' },
  { id: 5, property: 'WITNESS_PAY_PER_BLOCK', initial: 32_000_000n, values: WIDE, shown: 'getWitnessPayPerBlock' },
  { id: 6, property: 'WITNESS_STANDBY_ALLOWANCE', initial: 115_200_000_000n, values: WIDE, shown: 'getWitnessStandbyAllowance' },
  { id: 7, property: 'CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT', initial: 0n, values: WIDE, shown: 'getCreateNewAccountFeeInSystemContract' },
  { id: 8, property: 'CREATE_NEW_ACCOUNT_BANDWIDTH_RATE', initial: 1n, values: WIDE, shown: 'getCreateNewAccountBandwidthRate' },
  { id: 9, property: 'ALLOW_CREATION_OF_CONTRACTS', initial: 0n, values: ON, shown: 'getAllowCreationOfContracts', config: 'allowCreationOfContracts' },
  { id: 10, property: 'REMOVE_THE_POWER_OF_THE_GR', initial: 0n, values: ON, before: ['powerNotRemoved'], once: true, shown: 'getRemoveThePowerOfTheGr' },
  { id: 11, property: 'ENERGY_FEE', initial: 100n, history: 'ENERGY_PRICE_HISTORY', shown: 'getEnergyFee' },
  { id: 12, property: 'EXCHANGE_CREATE_FEE', initial: 1_024_000_000n, shown: 'getExchangeCreateFee' },
  { id: 13, property: 'MAX_CPU_TIME_OF_ONE_TX', initial: 50n, check: 'cpuTime', shown: 'getMaxCpuTimeOfOneTx' },
  { id: 14, property: 'ALLOW_UPDATE_ACCOUNT_NAME', initial: 0n, values: ON, shown: 'getAllowUpdateAccountName' },
  { id: 15, property: 'ALLOW_SAME_TOKEN_NAME', initial: 0n, values: ON, shown: 'getAllowSameTokenName', config: 'allowSameTokenName' },
  { id: 16, property: 'ALLOW_DELEGATE_RESOURCE', initial: 0n, values: ON, shown: 'getAllowDelegateResource', config: 'allowDelegateResource' },
  { id: 17, property: 'TOTAL_ENERGY_LIMIT', fork: VERSION.ENERGY_LIMIT, values: WIDE, before: ['beforeNewerEnergyLimit'], effect: 'energyLimit' },
  { id: 19, property: 'TOTAL_ENERGY_LIMIT', initial: 50_000_000_000n, fork: VERSION.V3_2_2, values: WIDE, effect: 'energyLimitAndCurrent', shown: 'getTotalEnergyLimit' },
  { id: 18, property: 'ALLOW_TVM_TRANSFER_TRC10', initial: 0n, values: ON, requires: ['ALLOW_SAME_TOKEN_NAME'], shown: 'getAllowTvmTransferTrc10', config: 'allowTvmTransferTrc10', rule: 'transferTrc10' },
  { property: 'TOTAL_ENERGY_CURRENT_LIMIT', initial: 50_000_000_000n, shown: 'getTotalEnergyCurrentLimit' },
  { id: 20, property: 'ALLOW_MULTI_SIGN', initial: 0n, fork: VERSION.V3_5, values: ON, once: true, shown: 'getAllowMultiSign', config: 'allowMultiSign', rule: 'multiSign' },
  { id: 21, property: 'ALLOW_ADAPTIVE_ENERGY', initial: 0n, fork: VERSION.V3_5, values: ON, effect: 'adaptiveEnergy', shown: 'getAllowAdaptiveEnergy', config: 'allowAdaptiveEnergy' },
  { property: 'TOTAL_ENERGY_TARGET_LIMIT', initial: 3_472_222n, shown: 'getTotalEnergyTargetLimit' },
  { property: 'TOTAL_ENERGY_AVERAGE_USAGE', initial: 0n, shown: 'getTotalEnergyAverageUsage' },
  { id: 22, property: 'UPDATE_ACCOUNT_PERMISSION_FEE', initial: 100_000_000n, fork: VERSION.V3_5, values: valid(0n, 100_000_000_000n, '[0, 100_000_000_000L]'), shown: 'getUpdateAccountPermissionFee' },
  { id: 23, property: 'MULTI_SIGN_FEE', initial: 1_000_000n, fork: VERSION.V3_5, values: valid(0n, 100_000_000_000n, '[0, 100_000_000_000L]'), shown: 'getMultiSignFee' },
  { id: 25, property: 'ALLOW_ACCOUNT_STATE_ROOT', initial: 0n, fork: VERSION.V3_6, values: ON_OR_OFF, shown: 'getAllowAccountStateRoot', config: 'allowAccountStateRoot' },
  { id: 24, property: 'ALLOW_PROTO_FILTER_NUM', initial: 0n, fork: VERSION.V3_6, values: ON_OR_OFF, shown: 'getAllowProtoFilterNum', config: 'allowProtoFilterNum' },
  { id: 26, property: 'ALLOW_TVM_CONSTANTINOPLE', initial: 0n, fork: VERSION.V3_6, values: ON, requires: ['ALLOW_TVM_TRANSFER_TRC10'], opens: ['ClearABIContract'], shown: 'getAllowTvmConstantinople', config: 'allowTvmConstantinople', note: 'a non-zero value is also applied at every start and enables contract type 48', rule: 'constantinople' },
  { id: 32, property: 'ALLOW_TVM_SOLIDITY_059', initial: 0n, fork: VERSION.V3_6_5, values: ON, requires: ['ALLOW_CREATION_OF_CONTRACTS'], shown: 'getAllowTvmSolidity059', config: 'allowTvmSolidity059', rule: 'solidity059' },
  { id: 41, property: 'ALLOW_TVM_ISTANBUL', initial: 0n, fork: VERSION.V4_1, values: ON, shown: 'getAllowTvmIstanbul', config: 'allowTvmIstanbul', rule: 'istanbul' },
  { id: 39, property: 'ALLOW_SHIELDED_TRC20_TRANSACTION', initial: 0n, fork: VERSION.V4_0_1, values: ON_OR_OFF, shown: 'getAllowShieldedTRC20Transaction', config: 'allowShieldedTRC20Transaction', rule: 'shieldedTrc20' },
  { id: 35, property: 'FORBID_TRANSFER_TO_CONTRACT', initial: 0n, fork: VERSION.V3_6_6, values: ON, requires: ['ALLOW_CREATION_OF_CONTRACTS'], shown: 'getForbidTransferToContract', config: 'forbidTransferToContract' },
  { id: 33, property: 'ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO', initial: 14_400n, fork: VERSION.V3_6_5, values: valid(1n, 1_000n, '[1,1_000]'), effect: 'adaptiveRatio', shown: 'getAdaptiveResourceLimitTargetRatio', shownPer: 1440n },
  { id: 29, property: 'ADAPTIVE_RESOURCE_LIMIT_MULTIPLIER', initial: 1_000n, fork: VERSION.V3_6_5, values: valid(1n, 10_000n, '[1,10_000]'), shown: 'getAdaptiveResourceLimitMultiplier' },
  { id: 30, property: 'CHANGE_DELEGATION', named: 'ALLOW_CHANGE_DELEGATION', initial: 0n, fork: VERSION.V3_6_5, values: ON_OR_OFF, opens: ['UpdateBrokerageContract'], shown: 'getChangeDelegation', config: 'changedDelegation' },
  { id: 31, property: 'WITNESS_127_PAY_PER_BLOCK', absent: 16_000_000n, fork: VERSION.V3_6_5, values: WIDE, shown: 'getWitness127PayPerBlock' },
  { id: 44, property: 'ALLOW_MARKET_TRANSACTION', initial: 0n, fork: VERSION.V4_1, closedBy: VERSION.V4_8_1, values: ON, once: true, opens: ['MarketSellAssetContract', 'MarketCancelOrderContract'], shown: 'getAllowMarketTransaction', config: 'allowMarketTransaction' },
  { id: 45, property: 'MARKET_SELL_FEE', initial: 0n, fork: VERSION.V4_1, values: valid(0n, 10_000_000_000n, '[0,10_000_000_000L]', 'MARKET_SELL_FEE'), before: ['marketIsOn'], shown: 'getMarketSellFee' },
  { id: 46, property: 'MARKET_CANCEL_FEE', initial: 0n, fork: VERSION.V4_1, values: valid(0n, 10_000_000_000n, '[0,10_000_000_000L]', 'MARKET_CANCEL_FEE'), before: ['marketIsOn'], shown: 'getMarketCancelFee' },
  { id: 40, property: 'ALLOW_PBFT', initial: 0n, fork: VERSION.V4_1, values: ON, shown: 'getAllowPBFT', config: 'allowPBFT', long: true },
  { id: 48, property: 'ALLOW_TRANSACTION_FEE_POOL', initial: 0n, fork: VERSION.V4_1_2, values: ON_OR_OFF, shown: 'getAllowTransactionFeePool', config: 'allowTransactionFeePool' },
  { id: 47, property: 'MAX_FEE_LIMIT', initial: 1_000_000_000n, fork: VERSION.V4_1_2, check: 'maxFeeLimit', shown: 'getMaxFeeLimit' },
  { id: 49, property: 'ALLOW_BLACKHOLE_OPTIMIZATION', named: 'ALLOW_REMOVE_BLACKHOLE', initial: 0n, fork: VERSION.V4_1_2, values: ON_OR_OFF, shown: 'getAllowOptimizeBlackHole', config: 'allowBlackHoleOptimization' },
  { id: 51, property: 'ALLOW_NEW_RESOURCE_MODEL', initial: 0n, fork: VERSION.V4_2, values: ON, shown: 'getAllowNewResourceModel', config: 'allowNewResourceModel' },
  { id: 52, property: 'ALLOW_TVM_FREEZE', initial: 0n, fork: VERSION.V4_2, values: ON, requires: ['ALLOW_DELEGATE_RESOURCE', 'ALLOW_MULTI_SIGN', 'ALLOW_TVM_CONSTANTINOPLE', 'ALLOW_TVM_SOLIDITY_059'], shown: 'getAllowTvmFreeze', config: 'allowTvmFreeze', rule: 'freeze' },
  { id: 59, property: 'ALLOW_TVM_VOTE', initial: 0n, fork: VERSION.V4_3, values: ON, requires: ['CHANGE_DELEGATION'], effect: 'newReward', shown: 'getAllowTvmVote', config: 'allowTvmVote', note: '1 also sets NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE to the current cycle', rule: 'vote' },
  { id: 63, property: 'ALLOW_TVM_LONDON', initial: 0n, fork: VERSION.V4_4, values: ON, shown: 'getAllowTvmLondon', config: 'allowTvmLondon', rule: 'london' },
  { id: 60, property: 'ALLOW_TVM_COMPATIBLE_EVM', initial: 0n, fork: VERSION.V4_4, values: ON, shown: 'getAllowTvmCompatibleEvm', config: 'allowTvmCompatibleEvm', rule: 'compatibleEvm' },
  { id: 53, property: 'ALLOW_ACCOUNT_ASSET_OPTIMIZATION', initial: 0n, fork: VERSION.V4_3, values: ON, shown: 'getAllowAccountAssetOptimization', config: 'allowAccountAssetOptimization' },
  { id: 61, property: 'FREE_NET_LIMIT', initial: 5_000n, fork: VERSION.V4_3, values: valid(0n, 100_000n, '[0,100_000]'), shown: 'getFreeNetLimit' },
  { id: 62, property: 'TOTAL_NET_LIMIT', initial: 43_200_000_000n, fork: VERSION.V4_3, values: valid(0n, 1_000_000_000_000n, '[0, 1_000_000_000_000L]'), shown: 'getTotalNetLimit' },
  { id: 65, property: 'ALLOW_HIGHER_LIMIT_FOR_MAX_CPU_TIME_OF_ONE_TX', initial: 0n, fork: VERSION.V4_5, values: ON, shown: 'getAllowHigherLimitForMaxCpuTimeOfOneTx', config: 'allowHigherLimitForMaxCpuTimeOfOneTx', rule: 'higherCpuLimit' },
  { id: 66, property: 'ALLOW_ASSET_OPTIMIZATION', initial: 0n, fork: VERSION.V4_5, values: ON, shown: 'getAllowAssetOptimization', config: 'allowAssetOptimization' },
  { id: 67, property: 'ALLOW_NEW_REWARD', initial: 0n, fork: VERSION.V4_6, values: ON, before: ['newRewardIsOff'], effect: 'newReward', shown: 'getAllowNewReward', config: 'allowNewReward', clamped: true, note: '1 also sets NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE' },
  { id: 68, property: 'MEMO_FEE', initial: 0n, fork: VERSION.V4_6, values: allowed(0n, 1_000_000_000n, 'in the range 0-1000_000_000'), history: 'MEMO_FEE_HISTORY', shown: 'getMemoFee', config: 'memoFee', clamped: true, note: 'MEMO_FEE_HISTORY begins with "0:<fee>"' },
  { id: 69, property: 'ALLOW_DELEGATE_OPTIMIZATION', initial: 0n, fork: VERSION.V4_6, values: ON, shown: 'getAllowDelegateOptimization', config: 'allowDelegateOptimization', clamped: true },
  { id: 70, property: 'UNFREEZE_DELAY_DAYS', initial: 0n, fork: VERSION.V4_7, values: between(1n, 365n), opens: ['FreezeBalanceV2Contract', 'UnfreezeBalanceV2Contract', 'WithdrawExpireUnfreezeContract', 'DelegateResourceContract', 'UnDelegateResourceContract'], shown: 'getUnfreezeDelayDays', config: 'unfreezeDelayDays', clamped: true, rule: 'freezeV2' },
  { id: 71, property: 'ALLOW_OPTIMIZED_RETURN_VALUE_OF_CHAIN_ID', initial: 0n, fork: VERSION.V4_7, values: ON, shown: 'getAllowOptimizedReturnValueOfChainId', config: 'allowOptimizedReturnValueOfChainId', rule: 'optimizedChainId' },
  { id: 72, property: 'ALLOW_DYNAMIC_ENERGY', initial: 0n, fork: VERSION.V4_7, values: between(0n, 1n), check: 'dynamicEnergyNeedsDelegation', shown: 'getAllowDynamicEnergy', config: 'allowDynamicEnergy', clamped: true, rule: 'dynamicEnergy' },
  { id: 73, property: 'DYNAMIC_ENERGY_THRESHOLD', initial: 0n, fork: VERSION.V4_7, values: WIDE, shown: 'getDynamicEnergyThreshold', config: 'dynamicEnergyThreshold', clamped: true },
  { id: 74, property: 'DYNAMIC_ENERGY_INCREASE_FACTOR', initial: 0n, fork: VERSION.V4_7, values: between(0n, 10_000n), shown: 'getDynamicEnergyIncreaseFactor', config: 'dynamicEnergyIncreaseFactor', clamped: true },
  { id: 75, property: 'DYNAMIC_ENERGY_MAX_FACTOR', initial: 0n, fork: VERSION.V4_7, values: between(0n, 100_000n), shown: 'getDynamicEnergyMaxFactor', config: 'dynamicEnergyMaxFactor', clamped: true },
  { id: 76, property: 'ALLOW_TVM_SHANGHAI', absent: 0n, fork: VERSION.V4_7_2, values: ON, shown: 'getAllowTvmShangHai', config: 'allowTvmShangHai', rule: 'shanghai' },
  { id: 77, property: 'ALLOW_CANCEL_ALL_UNFREEZE_V2', absent: 0n, fork: VERSION.V4_7_2, values: ON, requires: ['UNFREEZE_DELAY_DAYS'], once: true, opens: ['CancelAllUnfreezeV2Contract'], shown: 'getAllowCancelAllUnfreezeV2' },
  { id: 78, property: 'MAX_DELEGATE_LOCK_PERIOD', absent: 86_400n, fork: VERSION.V4_7_2, check: 'delegateLockPeriod', shown: 'getMaxDelegateLockPeriod' },
  // `getchainparameters` lists the parameters of later releases after all older parameters.
  { id: 79, property: 'ALLOW_OLD_REWARD_OPT', since: '4.8.2', fork: VERSION.V4_7_4, values: ON, before: ['isNotOn'], check: 'newRewardIsDecided', shown: 'getAllowOldRewardOpt', config: 'allowOldRewardOpt' },
  { id: 81, property: 'ALLOW_ENERGY_ADJUSTMENT', since: '4.8.2', fork: VERSION.V4_7_5, values: ON, before: ['isNotOn'], shown: 'getAllowEnergyAdjustment', config: 'allowEnergyAdjustment', rule: 'energyAdjustment' },
  { id: 82, property: 'MAX_CREATE_ACCOUNT_TX_SIZE', absent: 1_000n, since: '4.8.2', fork: VERSION.V4_7_5, values: allowed(500n, 10_000n, 'greater than or equal to 500 and less than or equal to 10000!'), shown: 'getMaxCreateAccountTxSize' },
  { id: 87, property: 'ALLOW_STRICT_MATH', since: '4.8.2', fork: VERSION.V4_7_7, values: ON, before: ['isNotOn'], shown: 'getAllowStrictMath', config: 'allowStrictMath' },
  { id: 88, property: 'CONSENSUS_LOGIC_OPTIMIZATION', since: '4.8.2', fork: VERSION.V4_8_0, values: ON, before: ['isNotOn'], shown: 'getConsensusLogicOptimization', config: 'consensusLogicOptimization' },
  { id: 83, property: 'ALLOW_TVM_CANCUN', since: '4.8.2', fork: VERSION.V4_8_0, values: ON, before: ['isNotOn'], shown: 'getAllowTvmCancun', config: 'allowTvmCancun', rule: 'cancun' },
  { id: 89, property: 'ALLOW_TVM_BLOB', since: '4.8.2', fork: VERSION.V4_8_0, values: ON, before: ['isNotOn'], shown: 'getAllowTvmBlob', config: 'allowTvmBlob', rule: 'blob' },
  { id: 94, property: 'ALLOW_TVM_SELFDESTRUCT_RESTRICTION', since: '4.8.2', fork: VERSION.V4_8_1, values: ON, before: ['isNotOn'], shown: 'getAllowTvmSelfdestructRestriction', rule: 'selfDestructRestriction' },
  { id: 92, property: 'PROPOSAL_EXPIRE_TIME', absent: 259_200_000n, since: '4.8.2', fork: VERSION.V4_8_1, values: allowed(PROPOSAL_EXPIRE_BOUNDS.above + 1n, PROPOSAL_EXPIRE_BOUNDS.below - 1n, 'greater than 0 and less than 31536003000!'), shown: 'getProposalExpireTime' },
  { id: 96, property: 'ALLOW_TVM_OSAKA', since: '4.8.2', fork: VERSION.V4_8_2, values: ON, before: ['isNotOn'], shown: 'getAllowTvmOsaka', rule: 'osaka' },
  { id: 95, property: 'ALLOW_TVM_PRAGUE', since: '4.8.2', fork: VERSION.V4_8_2, values: ON, before: ['shanghaiIsOn', 'isNotOn'], effect: 'withBlockHashHistory', shown: 'getAllowTvmPrague' },
  { id: 97, property: 'ALLOW_HARDEN_RESOURCE_CALCULATION', since: '4.8.2', fork: VERSION.V4_8_2, values: ON, before: ['isNotOn'], shown: 'getAllowHardenResourceCalculation' },
  { id: 98, property: 'ALLOW_HARDEN_EXCHANGE_CALCULATION', since: '4.8.2', fork: VERSION.V4_8_2, values: allowed(0n, 1n, '0 or 1'), check: 'isAnotherExchangeRule', shown: 'getAllowHardenExchangeCalculation' },
  { id: 99, property: 'ALLOW_OPTIMIZE_TVM_STORAGE', since: '4.8.2.3', fork: VERSION.V4_8_2_3, values: ON, before: ['isNotOn'], shown: 'getAllowOptimizeTvmStorage' },
] as const satisfies readonly Row<string>[];

type AnyRow = (typeof rows)[number];
/**
 * Union type of all values in a column of the parameter table. Other tables have a field for each value, so that the
 * compiler reports a missing field.
 */
type Column<Name extends string> = AnyRow extends infer R ? (R extends { readonly [K in Name]: infer V } ? V : never) : never;

export type ParameterProperty = AnyRow['property'];
export type ParameterCheckName = Column<'check'> | Column<'before'>[number];
export type ParameterEffectName = Column<'effect'>;
/** A contract type that a parameter enables. */
export type OpenedTypeName = Column<'opens'>[number];
export type CommitteeKey = Column<'config'>;
/** Name of a TVM rule that a parameter enables. */
export type RuleName = Column<'rule'>;

/**
 * A row of the parameter table. The compiler checks that each name in the row (parameter, check, effect, rule) exists.
 */
export interface ParameterRow extends Row<ParameterProperty> {
  readonly before?: readonly ParameterCheckName[];
  readonly check?: ParameterCheckName;
  readonly requires?: readonly ParameterProperty[];
  readonly effect?: ParameterEffectName;
  readonly history?: Column<'history'>;
  readonly config?: CommitteeKey;
  readonly rule?: RuleName;
}

export const parameterRows: readonly ParameterRow[] = rows;

/** A parameter that can be voted on. */
export interface ChainParameter extends ParameterRow {
  readonly id: number;
}

/** Returns, by id, the parameters that can be voted on in a release. Reference: ProposalUtil.ProposalType. */
export function parametersOf(release: ParameterRelease): ReadonlyMap<bigint, ChainParameter> {
  const newest = parameterReleases.indexOf(release);
  const known = parameterRows.filter(
    (row): row is ChainParameter => row.id !== undefined && parameterReleases.indexOf(row.since ?? '4.7.2') <= newest,
  );
  return new Map(known.map((row) => [BigInt(row.id), row]));
}

/** Returns the name of a parameter in error texts. */
export function parameterName({ named, property }: ParameterRow): string {
  return named ?? property;
}

function allowed(min: bigint, max: bigint, what: string): ParameterValues {
  return { min, max, refusal: (name) => `This value[${name}] is only allowed to be ${what}` };
}

function between(min: bigint, max: bigint): ParameterValues {
  return allowed(min, max, `in the range ${min}-${max}`);
}

/**
 * Returns inclusive bounds of a value, with java-tron's error text.
 * @param range the range as the error text prints it
 * @param of name of the parameter in the error text; `chain` if the text does not name it
 */
function valid(min: bigint, max: bigint, range: string, of = 'chain'): ParameterValues {
  return { min, max, refusal: () => `Bad ${of} parameter value, valid range is ${range}` };
}
