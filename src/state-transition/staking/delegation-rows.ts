import { DelegatedResource, DelegatedResourceAccountIndex } from '../../codec/generated/messages.js';
import { type Address, addressBytes, toAddress } from '../../primitives/address.js';
import { ResourceCode } from '../resources/stake.js';
import type { State } from '../state/state.js';

/** First byte of the row keys of delegated stake 2.0 without a lock. */
const UNLOCKED = '01';
/** First byte of the row keys of delegated stake 2.0 with a lock. */
const LOCKED = '02';
/**
 * First byte of row keys in the newer delegation index, for stake 1.0 and 2.0. `to` rows list receivers, `from` rows
 * list the accounts that delegate.
 */
const INDEX = { v1: { to: '01', from: '02' }, v2: { to: '03', from: '04' } } as const;

/** Returns the row key of delegated stake 1.0. Reference: DelegatedResourceCapsule.createDbKey. */
export function delegationKey(from: Address, to: Address): string {
  return from + to;
}

/** Returns the row key of delegated stake 2.0. Reference: DelegatedResourceCapsule.createDbKeyV2. */
export function delegationKeyV2(from: Address, to: Address, isLocked: boolean): string {
  return (isLocked ? LOCKED : UNLOCKED) + from + to;
}

export function newDelegation(from: Address, to: Address): DelegatedResource {
  return Object.assign(new DelegatedResource(), { from: addressBytes(from), to: addressBytes(to) });
}

export function delegatedBalance(row: DelegatedResource, resource: number): bigint {
  return resource === ResourceCode.BANDWIDTH ? row.frozenBalanceForBandwidth : row.frozenBalanceForEnergy;
}

export function delegatedUntil(row: DelegatedResource, resource: number): bigint {
  return resource === ResourceCode.BANDWIDTH ? row.expireTimeForBandwidth : row.expireTimeForEnergy;
}

export function setDelegated(row: DelegatedResource, resource: number, balance: bigint, expiryMs: bigint): void {
  if (resource === ResourceCode.BANDWIDTH) {
    row.frozenBalanceForBandwidth = balance;
    row.expireTimeForBandwidth = expiryMs;
  } else {
    row.frozenBalanceForEnergy = balance;
    row.expireTimeForEnergy = expiryMs;
  }
}

export function isEmptyDelegation(row: DelegatedResource): boolean {
  return row.frozenBalanceForBandwidth === 0n && row.frozenBalanceForEnergy === 0n;
}

/**
 * Moves delegated stake with an expired lock to the unlocked row. Reference:
 * DelegatedResourceStore.unLockExpireResource.
 */
export function unlockExpired(state: State, from: Address, to: Address): void {
  const now = state.properties.get('latest_block_header_timestamp');
  const lockedKey = delegationKeyV2(from, to, true);
  const found = state.delegatedResources.get(lockedKey);
  if (found === undefined || (found.expireTimeForEnergy >= now && found.expireTimeForBandwidth >= now)) return;
  const locked = state.delegatedResources.existingToWrite(lockedKey);
  const openKey = delegationKeyV2(from, to, false);
  const open = state.delegatedResources.toWrite(openKey) ?? newDelegation(from, to);
  for (const resource of [ResourceCode.ENERGY, ResourceCode.BANDWIDTH]) {
    if (delegatedUntil(locked, resource) >= now) continue;
    setDelegated(open, resource, delegatedBalance(open, resource) + delegatedBalance(locked, resource), 0n);
    setDelegated(locked, resource, 0n, 0n);
  }
  if (isEmptyDelegation(locked)) state.delegatedResources.delete(lockedKey);
  state.delegatedResources.put(openKey, open);
}

/** Adds a delegation to the index, one row per direction. */
export function indexDelegation(
  state: State,
  era: keyof typeof INDEX,
  from: Address,
  to: Address,
  timeMs: bigint,
): void {
  const row = (account: Address): DelegatedResourceAccountIndex =>
    Object.assign(new DelegatedResourceAccountIndex(), { account: addressBytes(account), timestamp: timeMs });
  state.delegationIndex.put(INDEX[era].to + from + to, row(to));
  state.delegationIndex.put(INDEX[era].from + to + from, row(from));
}

export function unindexDelegation(state: State, era: keyof typeof INDEX, from: Address, to: Address): void {
  state.delegationIndex.delete(INDEX[era].to + from + to);
  state.delegationIndex.delete(INDEX[era].from + to + from);
}

/**
 * Converts an account's row in the older delegation index, which contains lists of accounts, to rows of the newer
 * index. Reference: DelegatedResourceAccountIndexStore.convert.
 */
export function convertDelegationIndex(state: State, address: Address): void {
  const row = state.delegationIndex.get(address);
  if (row === undefined) return;
  // The newer index orders rows by time. The old list has no times, so its indexes plus 1 are stored as times.
  row.toAccounts.forEach((to, at) => {
    indexDelegation(state, 'v1', address, toAddress(to), BigInt(at + 1));
  });
  row.fromAccounts.forEach((from, at) => {
    indexDelegation(state, 'v1', toAddress(from), address, BigInt(at + 1));
  });
  state.delegationIndex.delete(address);
}
