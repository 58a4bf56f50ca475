import { hasPassed, VERSION } from '../consensus/fork-versions.js';
import type { State } from '../state/state.js';

/** The switches of the committee as a program sees them: read once for each transaction. Reference: VMConfig, ConfigLoader. */
export interface RuleSet {
  /** Energy limits by the newer rule, storage undone with the call that wrote it. `enery.limit.block.num` */
  readonly energyLimitFork: boolean;
  readonly multiSign: boolean;
  readonly transferTrc10: boolean;
  readonly constantinople: boolean;
  readonly solidity059: boolean;
  readonly shieldedTrc20: boolean;
  readonly istanbul: boolean;
  readonly freeze: boolean;
  readonly vote: boolean;
  readonly london: boolean;
  readonly compatibleEvm: boolean;
  readonly higherCpuLimit: boolean;
  readonly freezeV2: boolean;
  readonly optimizedChainId: boolean;
  readonly dynamicEnergy: boolean;
  readonly shanghai: boolean;
  /** Prices of SUICIDE and VOTEWITNESS, and a last look at the clock. Proposal 81 */
  readonly energyAdjustment: boolean;
  /** Proposal 83 */
  readonly cancun: boolean;
  /** Proposal 89 */
  readonly blob: boolean;
  /** TIP-6780. Proposal 94 */
  readonly selfDestructRestriction: boolean;
  /** Proposal 96 */
  readonly osaka: boolean;
}

/** A switch that rows of the tables ask for. */
export type Switch = keyof RuleSet;

export function readRuleSet(state: State): RuleSet {
  const { properties } = state;
  return {
    energyLimitFork: hasPassed(state, VERSION.ENERGY_LIMIT),
    multiSign: properties.isOn('ALLOW_MULTI_SIGN'),
    transferTrc10: properties.isOn('ALLOW_TVM_TRANSFER_TRC10'),
    constantinople: properties.isOn('ALLOW_TVM_CONSTANTINOPLE'),
    solidity059: properties.isOn('ALLOW_TVM_SOLIDITY_059'),
    shieldedTrc20: properties.isOn('ALLOW_SHIELDED_TRC20_TRANSACTION'),
    istanbul: properties.isOn('ALLOW_TVM_ISTANBUL'),
    freeze: properties.isOn('ALLOW_TVM_FREEZE'),
    vote: properties.isOn('ALLOW_TVM_VOTE'),
    london: properties.isOn('ALLOW_TVM_LONDON'),
    compatibleEvm: properties.isOn('ALLOW_TVM_COMPATIBLE_EVM'),
    higherCpuLimit: properties.isOn('ALLOW_HIGHER_LIMIT_FOR_MAX_CPU_TIME_OF_ONE_TX'),
    freezeV2: properties.supportsUnfreezeDelay(),
    optimizedChainId: properties.isOn('ALLOW_OPTIMIZED_RETURN_VALUE_OF_CHAIN_ID'),
    dynamicEnergy: properties.isOn('ALLOW_DYNAMIC_ENERGY'),
    shanghai: properties.isOn('ALLOW_TVM_SHANGHAI'),
    energyAdjustment: properties.isOn('ALLOW_ENERGY_ADJUSTMENT'),
    cancun: properties.isOn('ALLOW_TVM_CANCUN'),
    blob: properties.isOn('ALLOW_TVM_BLOB'),
    selfDestructRestriction: properties.isOn('ALLOW_TVM_SELFDESTRUCT_RESTRICTION'),
    osaka: properties.isOn('ALLOW_TVM_OSAKA'),
  };
}
