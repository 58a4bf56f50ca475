import { toUtf8, utf8 } from '../../domain/bytes.js';
import { INT64_MAX, wrap64 } from '../../domain/int64.js';
import { hasPassed, VERSION } from '../consensus/fork-versions.js';
import type { BytesProperty, LongProperty } from '../state/property-table.js';
import type { State } from '../state/state.js';

/** What an approved value does. `expiryMs` is the end of the proposal, from which price histories count. */
export type ApplyParameter = (state: State, property: LongProperty, value: bigint, expiryMs: bigint) => void;

/** Stores a price and notes it in its history, `ms:price,…`. */
export function withHistory(history: BytesProperty): ApplyParameter {
  return (state, property, value, expiryMs) => {
    state.properties.set(property, value);
    const before = toUtf8(state.properties.bytes(history));
    state.properties.setBytes(history, utf8(`${before},${expiryMs}:${value}`));
  };
}

/** Stores a switch and allows contract types to everybody and in new active permissions. */
export function withContracts(...types: readonly number[]): ApplyParameter {
  return (state, property, value) => {
    state.properties.set(property, value);
    for (const type of types) allowContractType(state, type);
  };
}

/** Only from 0: a switch that is on stays as it is. */
export const once: ApplyParameter = (state, property, value) => {
  if (state.properties.get(property) === 0n) state.properties.set(property, value);
};

export function onceWithContracts(...types: readonly number[]): ApplyParameter {
  const apply = withContracts(...types);
  return (state, property, value, expiryMs) => {
    if (state.properties.get(property) === 0n) apply(state, property, value, expiryMs);
  };
}

/** Reference: DynamicPropertiesStore.saveTotalEnergyLimit. */
export const energyLimit: ApplyParameter = ({ properties }, _property, value) => {
  properties.set('TOTAL_ENERGY_LIMIT', value);
  properties.set('TOTAL_ENERGY_TARGET_LIMIT', value / properties.get('ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO'));
};

/** Reference: DynamicPropertiesStore.saveTotalEnergyLimit2. */
export const energyLimitAndCurrent: ApplyParameter = (state, property, value, expiryMs) => {
  energyLimit(state, property, value, expiryMs);
  if (state.properties.get('ALLOW_ADAPTIVE_ENERGY') === 0n) state.properties.set('TOTAL_ENERGY_CURRENT_LIMIT', value);
};

/** With the newer rule the target is half the limit in a minute: 24 × 60 × 2 parts of a day. */
export const adaptiveEnergy: ApplyParameter = (state, property, value) => {
  const { properties } = state;
  if (properties.get(property) !== 0n) return;
  properties.set(property, value);
  if (!hasPassed(state, VERSION.V3_6_5)) return;
  properties.set('ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO', 2880n);
  properties.set('TOTAL_ENERGY_TARGET_LIMIT', properties.get('TOTAL_ENERGY_LIMIT') / 2880n);
  properties.set('ADAPTIVE_RESOURCE_LIMIT_MULTIPLIER', 50n);
};

/** The committee speaks of parts of a minute, the property of parts of a day. */
export const adaptiveRatio: ApplyParameter = ({ properties }, property, value) => {
  const ratio = wrap64(24n * 60n * value);
  properties.set(property, ratio);
  properties.set('TOTAL_ENERGY_TARGET_LIMIT', properties.get('TOTAL_ENERGY_LIMIT') / ratio);
};

/** Switches that need the newer reward rule start it with the next cycle, once. */
export const newReward: ApplyParameter = ({ properties }, property, value) => {
  if (properties.get('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE') === INT64_MAX) {
    properties.set('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE', properties.get('CURRENT_CYCLE_NUMBER') + 1n);
  }
  properties.set(property, value);
};

/** Reference: DynamicPropertiesStore.addSystemContractAndSetPermission. */
export function allowContractType({ properties }: State, type: number): void {
  for (const property of ['AVAILABLE_CONTRACT_TYPE', 'ACTIVE_DEFAULT_OPERATIONS'] as const) {
    const bits = Uint8Array.from(properties.bytes(property));
    bits[type >> 3]! |= 1 << (type & 7);
    properties.setBytes(property, bits);
  }
}
