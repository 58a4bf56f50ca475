import { type Account, ResourceCode } from '../../codec/generated/messages.js';
import { toLong } from '../../java-compat/double.js';
import type { Address } from '../../primitives/address.js';
import { max64, min64 } from '../../primitives/int64.js';
import { SUN_PER_TRX } from '../../primitives/units.js';
import { resourceOf, type State } from '../state/state.js';
import { arithmeticOf, hardenedShare } from './long-arithmetic.js';
import { allFrozenForEnergy } from './stake.js';
import { addUsage, decay, headSlot, increase, increaseOf, lastConsumeTime, recovery, usageOfAccount } from './usage.js';

/**
 * Number of slots over which the energy usage of the network is averaged: one minute. Reference:
 * AdaptiveResourceLimitConstants.PERIODS_MS.
 */
const AVERAGE_SLOTS = 20n;

/**
 * Returns an account's daily energy from stake, in energy units. Reference: EnergyProcessor.calculateGlobalEnergyLimit.
 */
export function totalEnergyLimit(state: State, account: Account): bigint {
  const { properties } = state;
  const frozen = allFrozenForEnergy(account);
  const limit = properties.get('TOTAL_ENERGY_CURRENT_LIMIT');
  const weight = properties.get('TOTAL_ENERGY_WEIGHT');
  const isHardened = properties.isOn('ALLOW_HARDEN_RESOURCE_CALCULATION');
  if (properties.supportsUnfreezeDelay()) {
    if (weight === 0n) return 0n;
    if (isHardened) return hardenedShare(frozen, limit, SUN_PER_TRX * weight);
    return toLong((Number(frozen) / Number(SUN_PER_TRX)) * (Number(limit) / Number(weight)));
  }
  if (frozen < SUN_PER_TRX) return 0n;
  if (properties.isOn('ALLOW_NEW_REWARD') && weight <= 0n) return 0n;
  if (isHardened) return hardenedShare(frozen / SUN_PER_TRX, limit, weight);
  return toLong(Number(frozen / SUN_PER_TRX) * (Number(limit) / Number(weight)));
}

/** Returns an account's remaining staked energy, in energy units. Reference: getAccountLeftEnergyFromFreeze. */
export function leftEnergy(state: State, account: Account): bigint {
  const used = recovery(arithmeticOf(state.properties), account, ResourceCode.ENERGY, {
    lastUsage: usageOfAccount(account, ResourceCode.ENERGY),
    lastTime: lastConsumeTime(account, ResourceCode.ENERGY),
    now: headSlot(state),
  });
  return max64(totalEnergyLimit(state, account) - used, 0n);
}

/**
 * Charges staked energy. Since stake 2.0 or `ALLOW_TVM_FREEZE`, always charges and returns true. Before, returns
 * false without a charge if the staked energy does not suffice, even if `energy` is 0, because the usage of an
 * account can exceed its limit. Reference: useEnergy.
 */
export function useEnergy(state: State, address: Address, energy: bigint, now: bigint): boolean {
  const { properties } = state;
  const math = arithmeticOf(properties);
  const hasDelay = properties.supportsUnfreezeDelay();
  const found = state.existingAccount(address);
  const lastUsage = usageOfAccount(found, ResourceCode.ENERGY);
  const lastTime = lastConsumeTime(found, ResourceCode.ENERGY);
  const used = hasDelay
    ? recovery(math, found, ResourceCode.ENERGY, { lastUsage, lastTime, now })
    : decay(math, lastUsage, lastTime, now);
  const isStrict = !hasDelay && properties.get('ALLOW_TVM_FREEZE') === 0n;
  if (isStrict && energy > totalEnergyLimit(state, found) - used) return false;
  const account = state.existingAccountToWrite(address);
  const resource = resourceOf(account);
  resource.energyUsage = hasDelay
    ? increaseOf(state, account, ResourceCode.ENERGY, { lastUsage, usage: energy, lastTime, now })
    : addUsage(math, used, energy);
  account.latestOprationTime = properties.get('latest_block_header_timestamp');
  resource.latestConsumeTimeForEnergy = now;
  state.saveAccount(address, account);
  if (properties.isOn('ALLOW_ADAPTIVE_ENERGY')) properties.add('BLOCK_ENERGY_USAGE', energy);
  return true;
}

/** Updates an account's energy usage to the current slot. Reference: EnergyProcessor.updateUsage. */
export function updateEnergyUsage(state: State, account: Account): void {
  const lastUsage = usageOfAccount(account, ResourceCode.ENERGY);
  const lastTime = lastConsumeTime(account, ResourceCode.ENERGY);
  const usage = increaseOf(state, account, ResourceCode.ENERGY, {
    lastUsage,
    usage: 0n,
    lastTime,
    now: headSlot(state),
  });
  resourceOf(account).energyUsage = usage;
}

/**
 * Updates the average energy usage of the network after a block, and adapts the energy limit to it. Reference:
 * EnergyProcessor.updateTotalEnergyAverageUsage, updateAdaptiveTotalEnergyLimit.
 */
export function adaptEnergyLimit(state: State): void {
  const { properties } = state;
  const now = headSlot(state);
  const math = arithmeticOf(properties);
  const average = increase(
    math,
    {
      lastUsage: properties.get('TOTAL_ENERGY_AVERAGE_USAGE'),
      lastTime: properties.get('TOTAL_ENERGY_AVERAGE_TIME'),
      now,
      usage: properties.get('BLOCK_ENERGY_USAGE'),
    },
    AVERAGE_SLOTS,
  );
  properties.set('TOTAL_ENERGY_AVERAGE_USAGE', average);
  properties.set('TOTAL_ENERGY_AVERAGE_TIME', now);
  const current = properties.get('TOTAL_ENERGY_CURRENT_LIMIT');
  const base = properties.get('TOTAL_ENERGY_LIMIT');
  const isBusy = average > properties.get('TOTAL_ENERGY_TARGET_LIMIT');
  const [numerator, denominator] = isBusy ? [99n, 100n] : [1000n, 999n];
  const next = math.quotient(math.product(current * numerator) / denominator);
  const cap = math.quotient(math.product(base * properties.get('ADAPTIVE_RESOURCE_LIMIT_MULTIPLIER')));
  properties.set('TOTAL_ENERGY_CURRENT_LIMIT', min64(max64(next, base), cap));
}
