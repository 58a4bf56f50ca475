import { type Account, AccountFrozen } from '../../codec/generated/messages.js';
import { SUN_PER_TRX } from '../../primitives/units.js';
import type { LongProperty } from '../parameters/property-table.js';
import {
  frozenForBandwidth,
  frozenForEnergy,
  frozenV2,
  frozenV2WithDelegated,
  ResourceCode,
} from '../resources/stake.js';
import { resourceOf } from '../state/state.js';

// Access to the stake fields of an account by resource. Fields of bandwidth are in the account, fields of energy in a
// nested message.

/** Returns the property with the network's total stake of a resource in TRX. */
export function weightProperty(resource: number): LongProperty {
  if (resource === ResourceCode.TRON_POWER) return 'TOTAL_TRON_POWER_WEIGHT';
  return resource === ResourceCode.BANDWIDTH ? 'TOTAL_NET_WEIGHT' : 'TOTAL_ENERGY_WEIGHT';
}

/** Returns the stake 1.0 of one resource in whole TRX. */
export function stakedTrx(account: Account, resource: number): bigint {
  if (resource === ResourceCode.BANDWIDTH) return frozenForBandwidth(account) / SUN_PER_TRX;
  if (resource === ResourceCode.ENERGY) return frozenForEnergy(account) / SUN_PER_TRX;
  return (account.tronPower?.frozenBalance ?? 0n) / SUN_PER_TRX;
}

/** Returns the stake 2.0 of one resource in whole TRX, including the part that the account delegated to others. */
export function stakedTrxV2(account: Account, resource: number): bigint {
  const sun =
    resource === ResourceCode.TRON_POWER ? frozenV2(account, resource) : frozenV2WithDelegated(account, resource);
  return sun / SUN_PER_TRX;
}

/** Adds stake 1.0 of a resource. The whole stake of this resource is then frozen until `expiryMs`. */
export function addFrozen(account: Account, resource: number, sun: bigint, expiryMs: bigint): void {
  if (resource === ResourceCode.BANDWIDTH) {
    account.frozen[0] = frozen(frozenForBandwidth(account) + sun, expiryMs);
  } else if (resource === ResourceCode.ENERGY) {
    resourceOf(account).frozenBalanceForEnergy = frozen(frozenForEnergy(account) + sun, expiryMs);
  } else {
    account.tronPower = frozen((account.tronPower?.frozenBalance ?? 0n) + sun, expiryMs);
  }
}

/**
 * Removes the stake 1.0 of a resource. For bandwidth, removes only the expired part. For energy and TRON power,
 * removes all stake, so the caller must check that it has expired.
 * @returns the removed stake in SUN
 */
export function removeFrozen(account: Account, resource: number, nowMs: bigint): bigint {
  if (resource === ResourceCode.BANDWIDTH) {
    const expired = account.frozen.filter(({ expireTime }) => expireTime <= nowMs);
    account.frozen = account.frozen.filter(({ expireTime }) => expireTime > nowMs);
    return expired.reduce((sum, { frozenBalance }) => sum + frozenBalance, 0n);
  }
  if (resource === ResourceCode.ENERGY) {
    const sun = frozenForEnergy(account);
    resourceOf(account).frozenBalanceForEnergy = undefined;
    return sun;
  }
  const sun = account.tronPower?.frozenBalance ?? 0n;
  account.tronPower = undefined;
  return sun;
}

function frozen(frozenBalance: bigint, expireTime: bigint): AccountFrozen {
  return Object.assign(new AccountFrozen(), { frozenBalance, expireTime });
}

/** Returns the stake 1.0 delegated to the account, in SUN. */
export function acquired(account: Account, resource: number): bigint {
  if (resource === ResourceCode.BANDWIDTH) return account.acquiredDelegatedFrozenBalanceForBandwidth;
  return account.accountResource?.acquiredDelegatedFrozenBalanceForEnergy ?? 0n;
}

export function setAcquired(account: Account, resource: number, sun: bigint): void {
  if (resource === ResourceCode.BANDWIDTH) account.acquiredDelegatedFrozenBalanceForBandwidth = sun;
  else resourceOf(account).acquiredDelegatedFrozenBalanceForEnergy = sun;
}

/** Returns the stake 2.0 delegated to the account, in SUN. */
export function acquiredV2(account: Account, resource: number): bigint {
  if (resource === ResourceCode.BANDWIDTH) return account.acquiredDelegatedFrozenV2BalanceForBandwidth;
  return account.accountResource?.acquiredDelegatedFrozenV2BalanceForEnergy ?? 0n;
}

export function setAcquiredV2(account: Account, resource: number, sun: bigint): void {
  if (resource === ResourceCode.BANDWIDTH) account.acquiredDelegatedFrozenV2BalanceForBandwidth = sun;
  else resourceOf(account).acquiredDelegatedFrozenV2BalanceForEnergy = sun;
}

/** Adds to the stake 1.0 that the account delegated. */
export function addDelegated(account: Account, resource: number, sun: bigint): void {
  if (resource === ResourceCode.BANDWIDTH) account.delegatedFrozenBalanceForBandwidth += sun;
  else resourceOf(account).delegatedFrozenBalanceForEnergy += sun;
}

/** Adds to the stake 2.0 that the account delegated. */
export function addDelegatedV2(account: Account, resource: number, sun: bigint): void {
  if (resource === ResourceCode.BANDWIDTH) account.delegatedFrozenV2BalanceForBandwidth += sun;
  else resourceOf(account).delegatedFrozenV2BalanceForEnergy += sun;
}

/** Sets the usage of a resource at a slot. */
export function setUsage(account: Account, resource: number, usage: bigint, slot: bigint): void {
  if (resource === ResourceCode.BANDWIDTH) {
    account.netUsage = usage;
    account.latestConsumeTime = slot;
    return;
  }
  const row = resourceOf(account);
  row.energyUsage = usage;
  row.latestConsumeTimeForEnergy = slot;
}
