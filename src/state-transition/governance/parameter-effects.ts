import { TransactionContractContractType } from '../../codec/generated/messages.js';
import { toUtf8, utf8 } from '../../primitives/bytes.js';
import { INT64_MAX, wrap64 } from '../../primitives/int64.js';
import { hasPassed } from '../consensus/fork-versions.js';
import type { ContractTypeName } from '../contract-types.js';
import { VERSION } from '../parameters/block-versions.js';
import type { ChainParameter, ParameterEffectName } from '../parameters/parameter-table.js';
import { deployBlockHashHistory } from '../state/block-hash-history.js';
import type { State } from '../state/state.js';

/**
 * Applies an approved value.
 * @param expiryMs end of the proposal; the start time of the new price in price histories
 */
export function applyParameter(state: State, parameter: ChainParameter, value: bigint, expiryMs: bigint): void {
  const { properties } = state;
  const { property, once, effect, history, opens } = parameter;
  if (once && properties.get(property) !== 0n) return;
  if (effect === undefined) properties.set(property, value);
  else effects[effect](state, value, parameter);
  // The history is a text: `ms:price,…`
  if (history !== undefined) {
    const before = toUtf8(properties.bytes(history));
    properties.setBytes(history, utf8(`${before},${expiryMs}:${value}`));
  }
  for (const name of opens ?? []) allowContractType(state, name);
}

/**
 * Enables a contract type, and allows it by default in new active permissions. Reference:
 * DynamicPropertiesStore.addSystemContractAndSetPermission.
 */
export function allowContractType({ properties }: State, name: ContractTypeName): void {
  const type = TransactionContractContractType[name];
  for (const property of ['AVAILABLE_CONTRACT_TYPE', 'ACTIVE_DEFAULT_OPERATIONS'] as const) {
    const bits = Uint8Array.from(properties.bytes(property));
    bits[type >> 3] = (bits[type >> 3] ?? 0) | (1 << (type & 7));
    properties.setBytes(property, bits);
  }
}

type ParameterEffect = (state: State, value: bigint, parameter: ChainParameter) => void;

/** Sets the energy limit and its target. Reference: DynamicPropertiesStore.saveTotalEnergyLimit. */
const energyLimit: ParameterEffect = ({ properties }, value) => {
  properties.set('TOTAL_ENERGY_LIMIT', value);
  properties.set('TOTAL_ENERGY_TARGET_LIMIT', value / properties.get('ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO'));
};

/** Actions to execute when a proposal is approved, by name. The action is executed instead of storing the value. */
const effects: Readonly<Record<ParameterEffectName, ParameterEffect>> = {
  energyLimit,

  /**
   * Sets the energy limit and its target. If adaptive energy is off, also sets the current limit.
   * Reference: DynamicPropertiesStore.saveTotalEnergyLimit2.
   */
  energyLimitAndCurrent: (state, value, parameter) => {
    energyLimit(state, value, parameter);
    if (state.properties.get('ALLOW_ADAPTIVE_ENERGY') === 0n) state.properties.set('TOTAL_ENERGY_CURRENT_LIMIT', value);
  },

  /**
   * Enables adaptive energy, unless it is already enabled. Since 3.6.5, also sets the limit multiplier to 50, and the
   * target per minute to half of one minute's share of the daily limit: limit / (24 × 60 × 2).
   */
  adaptiveEnergy: (state, value, { property }) => {
    const { properties } = state;
    if (properties.get(property) !== 0n) return;
    properties.set(property, value);
    if (!hasPassed(state, VERSION.V3_6_5)) return;
    properties.set('ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO', 2880n);
    properties.set('TOTAL_ENERGY_TARGET_LIMIT', properties.get('TOTAL_ENERGY_LIMIT') / 2880n);
    properties.set('ADAPTIVE_RESOURCE_LIMIT_MULTIPLIER', 50n);
  },

  /**
   * Stores the ratio per day, and updates the energy target, which depends on it. The proposed value is the ratio per
   * minute.
   */
  adaptiveRatio: ({ properties }, value, { property }) => {
    const ratio = wrap64(24n * 60n * value);
    properties.set(property, ratio);
    properties.set('TOTAL_ENERGY_TARGET_LIMIT', properties.get('TOTAL_ENERGY_LIMIT') / ratio);
  },

  /** Stores the value. If the new reward algorithm has no start cycle yet, enables it from the next cycle on. */
  newReward: ({ properties }, value, { property }) => {
    if (properties.get('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE') === INT64_MAX) {
      properties.set('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE', properties.get('CURRENT_CYCLE_NUMBER') + 1n);
    }
    properties.set(property, value);
  },

  withBlockHashHistory: (state, value, { property }) => {
    state.properties.set(property, value);
    deployBlockHashHistory(state);
  },
};
