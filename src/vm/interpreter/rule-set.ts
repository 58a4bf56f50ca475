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
  /** Opcodes that exist and what they cost, as bits: two rule sets with equal bits prepare code alike. */
  readonly codeBits: number;
}

/** Switch that brings an opcode. */
export type Since =
  | 'transferTrc10'
  | 'constantinople'
  | 'solidity059'
  | 'istanbul'
  | 'freeze'
  | 'vote'
  | 'london'
  | 'freezeV2'
  | 'shanghai';

export function readRuleSet(state: State): RuleSet {
  const { properties } = state;
  const rules = {
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
  };
  return { ...rules, codeBits: codeBits(rules) };
}

function codeBits(rules: Omit<RuleSet, 'codeBits'>): number {
  const switches = [
    rules.transferTrc10,
    rules.constantinople,
    rules.solidity059,
    rules.istanbul,
    rules.freeze,
    rules.vote,
    rules.london,
    rules.freezeV2,
    rules.shanghai,
    rules.higherCpuLimit,
    rules.multiSign,
  ];
  return switches.reduce((bits, isOn, place) => bits | (isOn ? 1 << place : 0), 0);
}
