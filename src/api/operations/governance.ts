import {
  ChainParameters,
  ChainParametersChainParameter,
  type Exchange,
  ExchangeList,
  type Proposal,
  ProposalList,
  WitnessList,
} from '../../codec/generated/messages.js';
import { toAddress } from '../../domain/address.js';
import { wrap64 } from '../../domain/int64.js';
import { JavaError } from '../../java/error.js';
import { javaSort } from '../../java/sort.js';
import { voteChanges } from '../../vm/consensus/maintenance.js';
import { witnessOrder } from '../../vm/consensus/witness-order.js';
import { proposalLifeMs } from '../../vm/contracts/governance/proposal-create.js';
import type { LongProperty } from '../../vm/state/property-table.js';
import type { State } from '../../vm/state/state.js';
import type { Table } from '../../vm/state/table.js';
import type { ChainView } from '../api-context.js';
import { numberKey } from './blocks.js';
import { listValues } from './listing.js';

/** Most rows of one page. Reference: PROPOSAL_COUNT_LIMIT_MAX, EXCHANGE_COUNT_LIMIT_MAX. */
const PAGE_MAX = 1000n;

/** Reference: Wallet.getWitnessList. */
export function witnesses(view: ChainView): WitnessList {
  return Object.assign(new WitnessList(), { witnesses: listValues(view, view.state.witnesses) });
}

/**
 * Candidates in the order of the next maintenance, with the votes that were cast since the last one.
 * Reference: Wallet.getPaginatedNowWitnessList.
 * @param isHead the newest block is asked, whose votes are used up while it is one of maintenance
 * @throws {JavaError} MaintenanceUnavailableException
 */
export function witnessPage(
  { state }: ChainView,
  { offset, limit }: { readonly offset: bigint; readonly limit: bigint },
  isHead: boolean,
): WitnessList | undefined {
  if (limit <= 0n || offset < 0n) return undefined;
  if (isHead && state.properties.get('state_flag') === 1n) {
    throw new JavaError('org.tron.core.exception.MaintenanceUnavailableException', IN_MAINTENANCE);
  }
  const all = [...state.witnesses.range()];
  if (offset >= BigInt(all.length)) return undefined;
  const changes = voteChanges(state);
  const counted = all.map(([, witness]) =>
    Object.assign(witness.clone(), {
      voteCount: wrap64(witness.voteCount + (changes.get(toAddress(witness.address)) ?? 0n)),
    }),
  );
  const from = Number(offset);
  const shown = counted
    .sort(witnessOrder(state.properties))
    .slice(from, from + Number(limit < PAGE_MAX ? limit : PAGE_MAX));
  return Object.assign(new WitnessList(), { witnesses: shown });
}

const IN_MAINTENANCE = 'Service temporarily unavailable during maintenance period. Please try again later.';

/** Newest first. Reference: Wallet.getProposalList. */
export function proposals(view: ChainView): ProposalList {
  return Object.assign(new ProposalList(), { proposals: newestFirst(view, view.state.proposals) });
}

export function proposal({ state }: ChainView, id: bigint): Proposal | undefined {
  return state.proposals.get(numberKey(id));
}

/** By id, from an offset on. Reference: Wallet.getPaginatedProposalList. */
export function proposalPage({ state }: ChainView, offset: bigint, limit: bigint): ProposalList | undefined {
  const rows = page(state.proposals, state.properties.get('LATEST_PROPOSAL_NUM'), offset, limit);
  return rows && Object.assign(new ProposalList(), { proposals: rows });
}

/** Newest first. Reference: Wallet.getExchangeList. */
export function exchanges(view: ChainView): ExchangeList {
  return Object.assign(new ExchangeList(), { exchanges: newestFirst(view, exchangeTable(view.state)) });
}

export function exchange({ state }: ChainView, id: bigint): Exchange | undefined {
  return exchangeTable(state).get(numberKey(id));
}

/** By id, from an offset on. Reference: Wallet.getPaginatedExchangeList. */
export function exchangePage({ state }: ChainView, offset: bigint, limit: bigint): ExchangeList | undefined {
  const rows = page(exchangeTable(state), state.properties.get('LATEST_EXCHANGE_NUM'), offset, limit);
  return rows && Object.assign(new ExchangeList(), { exchanges: rows });
}

/** Reference: Wallet.getChainParameters. */
export function chainParameters({ state }: ChainView): ChainParameters {
  const known = new Set([...state.rules.release.parameters.values()].map(({ property }) => property));
  const rows = [...parameterRows, ...laterRows.filter(([, property]) => known.has(property))];
  const chainParameter = rows.map(([key, property]) =>
    Object.assign(new ChainParametersChainParameter(), { key, value: shownValue(state, key, property) }),
  );
  return Object.assign(new ChainParameters(), { chainParameter });
}

function shownValue(state: State, key: string, property: LongProperty): bigint {
  if (property === 'PROPOSAL_EXPIRE_TIME') return proposalLifeMs(state.properties);
  return state.properties.get(property) / (divisors[key] ?? 1n);
}

function exchangeTable(state: State): Table<Exchange> {
  return state.properties.get('ALLOW_SAME_TOKEN_NAME') === 0n ? state.exchanges : state.exchangesV2;
}

function newestFirst<T extends { readonly createTime: bigint }>(view: ChainView, table: Table<T>): T[] {
  // Of two that are equally old, each goes behind the other, says the reference.
  return javaSort(listValues(view, table), (a, b) => (a.createTime <= b.createTime ? 1 : -1));
}

/** Rows of a table that numbers from 1 on; undefined outside of it. */
function page<T>(table: Table<T>, latest: bigint, offset: bigint, limit: bigint): T[] | undefined {
  if (limit < 0n || offset < 0n || latest <= offset) return undefined;
  const end = offset + (limit > PAGE_MAX ? PAGE_MAX : limit);
  const rows: T[] = [];
  for (let id = offset + 1n; id <= end && id <= latest; id++) {
    const row = table.get(numberKey(id));
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** Shown in another unit than it is kept in: minutes a day. */
const divisors: Readonly<Record<string, bigint>> = { getAdaptiveResourceLimitTargetRatio: 1440n };

const parameterRows: readonly (readonly [key: string, property: LongProperty])[] = [
  ['getMaintenanceTimeInterval', 'MAINTENANCE_TIME_INTERVAL'],
  ['getAccountUpgradeCost', 'ACCOUNT_UPGRADE_COST'],
  ['getCreateAccountFee', 'CREATE_ACCOUNT_FEE'],
  ['getTransactionFee', 'TRANSACTION_FEE'],
  ['getAssetIssueFee', 'ASSET_ISSUE_FEE'],
  ['getWitnessPayPerBlock', 'WITNESS_PAY_PER_BLOCK'],
  ['getWitnessStandbyAllowance', 'WITNESS_STANDBY_ALLOWANCE'],
  ['getCreateNewAccountFeeInSystemContract', 'CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT'],
  ['getCreateNewAccountBandwidthRate', 'CREATE_NEW_ACCOUNT_BANDWIDTH_RATE'],
  ['getAllowCreationOfContracts', 'ALLOW_CREATION_OF_CONTRACTS'],
  ['getRemoveThePowerOfTheGr', 'REMOVE_THE_POWER_OF_THE_GR'],
  ['getEnergyFee', 'ENERGY_FEE'],
  ['getExchangeCreateFee', 'EXCHANGE_CREATE_FEE'],
  ['getMaxCpuTimeOfOneTx', 'MAX_CPU_TIME_OF_ONE_TX'],
  ['getAllowUpdateAccountName', 'ALLOW_UPDATE_ACCOUNT_NAME'],
  ['getAllowSameTokenName', 'ALLOW_SAME_TOKEN_NAME'],
  ['getAllowDelegateResource', 'ALLOW_DELEGATE_RESOURCE'],
  ['getTotalEnergyLimit', 'TOTAL_ENERGY_LIMIT'],
  ['getAllowTvmTransferTrc10', 'ALLOW_TVM_TRANSFER_TRC10'],
  ['getTotalEnergyCurrentLimit', 'TOTAL_ENERGY_CURRENT_LIMIT'],
  ['getAllowMultiSign', 'ALLOW_MULTI_SIGN'],
  ['getAllowAdaptiveEnergy', 'ALLOW_ADAPTIVE_ENERGY'],
  ['getTotalEnergyTargetLimit', 'TOTAL_ENERGY_TARGET_LIMIT'],
  ['getTotalEnergyAverageUsage', 'TOTAL_ENERGY_AVERAGE_USAGE'],
  ['getUpdateAccountPermissionFee', 'UPDATE_ACCOUNT_PERMISSION_FEE'],
  ['getMultiSignFee', 'MULTI_SIGN_FEE'],
  ['getAllowAccountStateRoot', 'ALLOW_ACCOUNT_STATE_ROOT'],
  ['getAllowProtoFilterNum', 'ALLOW_PROTO_FILTER_NUM'],
  ['getAllowTvmConstantinople', 'ALLOW_TVM_CONSTANTINOPLE'],
  ['getAllowTvmSolidity059', 'ALLOW_TVM_SOLIDITY_059'],
  ['getAllowTvmIstanbul', 'ALLOW_TVM_ISTANBUL'],
  ['getAllowShieldedTRC20Transaction', 'ALLOW_SHIELDED_TRC20_TRANSACTION'],
  ['getForbidTransferToContract', 'FORBID_TRANSFER_TO_CONTRACT'],
  ['getAdaptiveResourceLimitTargetRatio', 'ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO'],
  ['getAdaptiveResourceLimitMultiplier', 'ADAPTIVE_RESOURCE_LIMIT_MULTIPLIER'],
  ['getChangeDelegation', 'CHANGE_DELEGATION'],
  ['getWitness127PayPerBlock', 'WITNESS_127_PAY_PER_BLOCK'],
  ['getAllowMarketTransaction', 'ALLOW_MARKET_TRANSACTION'],
  ['getMarketSellFee', 'MARKET_SELL_FEE'],
  ['getMarketCancelFee', 'MARKET_CANCEL_FEE'],
  ['getAllowPBFT', 'ALLOW_PBFT'],
  ['getAllowTransactionFeePool', 'ALLOW_TRANSACTION_FEE_POOL'],
  ['getMaxFeeLimit', 'MAX_FEE_LIMIT'],
  ['getAllowOptimizeBlackHole', 'ALLOW_BLACKHOLE_OPTIMIZATION'],
  ['getAllowNewResourceModel', 'ALLOW_NEW_RESOURCE_MODEL'],
  ['getAllowTvmFreeze', 'ALLOW_TVM_FREEZE'],
  ['getAllowTvmVote', 'ALLOW_TVM_VOTE'],
  ['getAllowTvmLondon', 'ALLOW_TVM_LONDON'],
  ['getAllowTvmCompatibleEvm', 'ALLOW_TVM_COMPATIBLE_EVM'],
  ['getAllowAccountAssetOptimization', 'ALLOW_ACCOUNT_ASSET_OPTIMIZATION'],
  ['getFreeNetLimit', 'FREE_NET_LIMIT'],
  ['getTotalNetLimit', 'TOTAL_NET_LIMIT'],
  ['getAllowHigherLimitForMaxCpuTimeOfOneTx', 'ALLOW_HIGHER_LIMIT_FOR_MAX_CPU_TIME_OF_ONE_TX'],
  ['getAllowAssetOptimization', 'ALLOW_ASSET_OPTIMIZATION'],
  ['getAllowNewReward', 'ALLOW_NEW_REWARD'],
  ['getMemoFee', 'MEMO_FEE'],
  ['getAllowDelegateOptimization', 'ALLOW_DELEGATE_OPTIMIZATION'],
  ['getUnfreezeDelayDays', 'UNFREEZE_DELAY_DAYS'],
  ['getAllowOptimizedReturnValueOfChainId', 'ALLOW_OPTIMIZED_RETURN_VALUE_OF_CHAIN_ID'],
  ['getAllowDynamicEnergy', 'ALLOW_DYNAMIC_ENERGY'],
  ['getDynamicEnergyThreshold', 'DYNAMIC_ENERGY_THRESHOLD'],
  ['getDynamicEnergyIncreaseFactor', 'DYNAMIC_ENERGY_INCREASE_FACTOR'],
  ['getDynamicEnergyMaxFactor', 'DYNAMIC_ENERGY_MAX_FACTOR'],
  ['getAllowTvmShangHai', 'ALLOW_TVM_SHANGHAI'],
  ['getAllowCancelAllUnfreezeV2', 'ALLOW_CANCEL_ALL_UNFREEZE_V2'],
  ['getMaxDelegateLockPeriod', 'MAX_DELEGATE_LOCK_PERIOD'],
];

/** Shown behind the others by the releases that know them, in the reference's order. */
const laterRows: typeof parameterRows = [
  ['getAllowOldRewardOpt', 'ALLOW_OLD_REWARD_OPT'],
  ['getAllowEnergyAdjustment', 'ALLOW_ENERGY_ADJUSTMENT'],
  ['getMaxCreateAccountTxSize', 'MAX_CREATE_ACCOUNT_TX_SIZE'],
  ['getAllowStrictMath', 'ALLOW_STRICT_MATH'],
  ['getConsensusLogicOptimization', 'CONSENSUS_LOGIC_OPTIMIZATION'],
  ['getAllowTvmCancun', 'ALLOW_TVM_CANCUN'],
  ['getAllowTvmBlob', 'ALLOW_TVM_BLOB'],
  ['getAllowTvmSelfdestructRestriction', 'ALLOW_TVM_SELFDESTRUCT_RESTRICTION'],
  ['getProposalExpireTime', 'PROPOSAL_EXPIRE_TIME'],
  ['getAllowTvmOsaka', 'ALLOW_TVM_OSAKA'],
  ['getAllowTvmPrague', 'ALLOW_TVM_PRAGUE'],
  ['getAllowHardenResourceCalculation', 'ALLOW_HARDEN_RESOURCE_CALCULATION'],
  ['getAllowHardenExchangeCalculation', 'ALLOW_HARDEN_EXCHANGE_CALCULATION'],
];
