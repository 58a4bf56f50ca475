import { DEFAULT_LIMITS } from '../../../p2p/releases/peer-limits.js';
import type { LongProperty } from '../../../vm/state/property-table.js';
import { long, property, type Row, type RowTree } from '../row.js';

/** Chain parameters of a fresh data folder; a folder that holds blocks has its own. Exact integers. */
export const committeeRows = {
  allowCreationOfContracts: property(
    'committee.allowCreationOfContracts',
    'initial value of ALLOW_CREATION_OF_CONTRACTS',
    32,
  ),
  allowMultiSign: property('committee.allowMultiSign', 'initial value of ALLOW_MULTI_SIGN', 32),
  allowAdaptiveEnergy: property('committee.allowAdaptiveEnergy', 'initial value of ALLOW_ADAPTIVE_ENERGY', 32),
  allowDelegateResource: property('committee.allowDelegateResource', 'initial value of ALLOW_DELEGATE_RESOURCE', 32),
  allowSameTokenName: property('committee.allowSameTokenName', 'initial value of ALLOW_SAME_TOKEN_NAME', 32),
  allowTvmTransferTrc10: property('committee.allowTvmTransferTrc10', 'initial value of ALLOW_TVM_TRANSFER_TRC10', 32),
  allowTvmSolidity059: property('committee.allowTvmSolidity059', 'initial value of ALLOW_TVM_SOLIDITY_059', 32),
  forbidTransferToContract: property(
    'committee.forbidTransferToContract',
    'initial value of FORBID_TRANSFER_TO_CONTRACT',
    32,
  ),
  allowShieldedTRC20Transaction: property(
    'committee.allowShieldedTRC20Transaction',
    'initial value of ALLOW_SHIELDED_TRC20_TRANSACTION',
    32,
  ),
  allowMarketTransaction: property('committee.allowMarketTransaction', 'initial value of ALLOW_MARKET_TRANSACTION', 32),
  allowTransactionFeePool: property(
    'committee.allowTransactionFeePool',
    'initial value of ALLOW_TRANSACTION_FEE_POOL',
    32,
  ),
  allowBlackHoleOptimization: property(
    'committee.allowBlackHoleOptimization',
    'initial value of ALLOW_BLACKHOLE_OPTIMIZATION',
    32,
  ),
  allowNewResourceModel: property('committee.allowNewResourceModel', 'initial value of ALLOW_NEW_RESOURCE_MODEL', 32),
  allowTvmIstanbul: property('committee.allowTvmIstanbul', 'initial value of ALLOW_TVM_ISTANBUL', 32),
  allowProtoFilterNum: property('committee.allowProtoFilterNum', 'initial value of ALLOW_PROTO_FILTER_NUM', 32),
  allowAccountStateRoot: property('committee.allowAccountStateRoot', 'initial value of ALLOW_ACCOUNT_STATE_ROOT', 32),
  changedDelegation: property('committee.changedDelegation', 'initial value of CHANGE_DELEGATION', 32),
  pBFTExpireNum: long(
    'committee.pBFTExpireNum',
    DEFAULT_LIMITS.votedBlocks,
    'blocks below the head to which a vote of a witness counts; from 4.8.2 on',
  ),
  allowPBFT: property('committee.allowPBFT', 'initial value of ALLOW_PBFT', 64),
  allowTvmFreeze: property('committee.allowTvmFreeze', 'initial value of ALLOW_TVM_FREEZE', 32),
  allowTvmLondon: property('committee.allowTvmLondon', 'initial value of ALLOW_TVM_LONDON', 32),
  allowTvmCompatibleEvm: property('committee.allowTvmCompatibleEvm', 'initial value of ALLOW_TVM_COMPATIBLE_EVM', 32),
  allowHigherLimitForMaxCpuTimeOfOneTx: property(
    'committee.allowHigherLimitForMaxCpuTimeOfOneTx',
    'initial value of ALLOW_HIGHER_LIMIT_FOR_MAX_CPU_TIME_OF_ONE_TX',
    32,
  ),
  allowAccountAssetOptimization: property(
    'committee.allowAccountAssetOptimization',
    'initial value of ALLOW_ACCOUNT_ASSET_OPTIMIZATION',
    32,
  ),
  allowAssetOptimization: property('committee.allowAssetOptimization', 'initial value of ALLOW_ASSET_OPTIMIZATION', 32),
  allowOptimizedReturnValueOfChainId: property(
    'committee.allowOptimizedReturnValueOfChainId',
    'initial value of ALLOW_OPTIMIZED_RETURN_VALUE_OF_CHAIN_ID',
    32,
  ),
  allowTvmConstantinople: property(
    'committee.allowTvmConstantinople',
    'initial value of ALLOW_TVM_CONSTANTINOPLE; a non-zero value is ALSO re-applied at every start and enables contract type 48',
    32,
  ),
  allowTvmVote: property(
    'committee.allowTvmVote',
    'initial value of ALLOW_TVM_VOTE; 1 also sets NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE to the current cycle',
    32,
  ),
  allowNewRewardAlgorithm: property(
    'committee.allowNewRewardAlgorithm',
    '1: NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE = current cycle on a fresh database',
    32,
  ),
  allowNewReward: property(
    'committee.allowNewReward',
    'initial value of ALLOW_NEW_REWARD; 1 also sets NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE',
    64,
    { min: 0, max: 1 },
  ),
  memoFee: property('committee.memoFee', 'initial value of MEMO_FEE and MEMO_FEE_HISTORY "0:<fee>"', 64, {
    min: 0,
    max: 1000000000,
  }),
  allowDelegateOptimization: property(
    'committee.allowDelegateOptimization',
    'initial value of ALLOW_DELEGATE_OPTIMIZATION',
    64,
    { min: 0, max: 1 },
  ),
  unfreezeDelayDays: property('committee.unfreezeDelayDays', 'initial value of UNFREEZE_DELAY_DAYS', 64, {
    min: 0,
    max: 365,
  }),
  allowDynamicEnergy: property('committee.allowDynamicEnergy', 'initial value of ALLOW_DYNAMIC_ENERGY', 64, {
    min: 0,
    max: 1,
  }),
  dynamicEnergyThreshold: property(
    'committee.dynamicEnergyThreshold',
    'initial value of DYNAMIC_ENERGY_THRESHOLD',
    64,
    { min: 0, max: 100000000000000000 },
  ),
  dynamicEnergyIncreaseFactor: property(
    'committee.dynamicEnergyIncreaseFactor',
    'initial value of DYNAMIC_ENERGY_INCREASE_FACTOR',
    64,
    { min: 0, max: 10000 },
  ),
  dynamicEnergyMaxFactor: property(
    'committee.dynamicEnergyMaxFactor',
    'initial value of DYNAMIC_ENERGY_MAX_FACTOR',
    64,
    { min: 0, max: 100000 },
  ),
  allowTvmShangHai: property(
    'committee.allowTvmShangHai',
    'value reported while ALLOW_TVM_SHANGHAI is not stored (never written at start)',
    32,
  ),
  allowOldRewardOpt: unwritten('allowOldRewardOpt', 'ALLOW_OLD_REWARD_OPT'),
  allowEnergyAdjustment: unwritten('allowEnergyAdjustment', 'ALLOW_ENERGY_ADJUSTMENT'),
  allowStrictMath: unwritten('allowStrictMath', 'ALLOW_STRICT_MATH'),
  consensusLogicOptimization: unwritten('consensusLogicOptimization', 'CONSENSUS_LOGIC_OPTIMIZATION'),
  allowTvmCancun: unwritten('allowTvmCancun', 'ALLOW_TVM_CANCUN'),
  allowTvmBlob: unwritten('allowTvmBlob', 'ALLOW_TVM_BLOB'),
} as const satisfies RowTree;

/** Of releases after 4.7.2; without effect in a release that does not know the parameter. */
function unwritten(key: string, name: LongProperty): Row<bigint> {
  return property(
    `committee.${key}`,
    `value read while ${name} is not stored (never written at start); from 4.8.2 on`,
    64,
  );
}
