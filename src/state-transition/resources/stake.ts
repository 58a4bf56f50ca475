import { type Account, AccountFreezeV2, ResourceCode } from '../../codec/generated/messages.js';

export { ResourceCode };

/** Returns the account's own stake 1.0 for bandwidth in SUN. Reference: AccountCapsule.getFrozenBalance. */
export function frozenForBandwidth(account: Account): bigint {
  return account.frozen.reduce((sum, { frozenBalance }) => sum + frozenBalance, 0n);
}

export function frozenForEnergy(account: Account): bigint {
  return account.accountResource?.frozenBalanceForEnergy?.frozenBalance ?? 0n;
}

/** Returns the account's own stake 2.0 for one resource in SUN. */
export function frozenV2(account: Account, resource: number): bigint {
  let sum = 0n;
  for (const { type, amount } of account.frozenV2) if (type === resource) sum += amount;
  return sum;
}

/** Returns all stake for bandwidth, own and received by delegation. Reference: getAllFrozenBalanceForBandwidth. */
export function allFrozenForBandwidth(account: Account): bigint {
  return (
    frozenForBandwidth(account) +
    account.acquiredDelegatedFrozenBalanceForBandwidth +
    frozenV2(account, ResourceCode.BANDWIDTH) +
    account.acquiredDelegatedFrozenV2BalanceForBandwidth
  );
}

/** Returns all stake for energy, own and received by delegation. Reference: getAllFrozenBalanceForEnergy. */
export function allFrozenForEnergy(account: Account): bigint {
  const resource = account.accountResource;
  return (
    frozenForEnergy(account) +
    (resource?.acquiredDelegatedFrozenBalanceForEnergy ?? 0n) +
    frozenV2(account, ResourceCode.ENERGY) +
    (resource?.acquiredDelegatedFrozenV2BalanceForEnergy ?? 0n)
  );
}

/**
 * Returns the account's stake 2.0 in SUN, including the part that it delegated to others. Reference:
 * getFrozenV2BalanceWithDelegated.
 */
export function frozenV2WithDelegated(account: Account, resource: number): bigint {
  const delegated =
    resource === ResourceCode.BANDWIDTH
      ? account.delegatedFrozenV2BalanceForBandwidth
      : (account.accountResource?.delegatedFrozenV2BalanceForEnergy ?? 0n);
  return frozenV2(account, resource) + delegated;
}

/**
 * Adds stake 2.0 of a resource. Creates the entry of the resource if it is missing. Reference:
 * addFrozenBalanceForResource.
 */
export function addFrozenV2(account: Account, resource: number, amount: bigint): void {
  const entry = account.frozenV2.find(({ type }) => type === resource);
  if (entry !== undefined) {
    entry.amount = BigInt.asIntN(64, entry.amount + amount);
    return;
  }
  account.frozenV2.push(Object.assign(new AccountFreezeV2(), { type: resource, amount }));
}

/** Returns the voting power in SUN before the new resource model. Reference: AccountCapsule.getTronPower. */
export function tronPower(account: Account): bigint {
  const resource = account.accountResource;
  return (
    frozenForBandwidth(account) +
    frozenForEnergy(account) +
    account.delegatedFrozenBalanceForBandwidth +
    (resource?.delegatedFrozenBalanceForEnergy ?? 0n) +
    account.frozenV2.reduce((sum, { type, amount }) => (type === ResourceCode.TRON_POWER ? sum : sum + amount), 0n) +
    account.delegatedFrozenV2BalanceForBandwidth +
    (resource?.delegatedFrozenV2BalanceForEnergy ?? 0n)
  );
}

/** Returns the voting power in SUN under the new resource model. Reference: AccountCapsule.getAllTronPower. */
export function allTronPower(account: Account): bigint {
  const staked = (account.tronPower?.frozenBalance ?? 0n) + frozenV2(account, ResourceCode.TRON_POWER);
  if (account.oldTronPower === -1n) return staked;
  return staked + (account.oldTronPower === 0n ? tronPower(account) : account.oldTronPower);
}

/**
 * Stores the voting power of the account under the old resource model in `oldTronPower`; -1 represents no power.
 * Overwrites the field, so callers first check that it is 0 (not stored yet).
 */
export function initializeOldTronPower(account: Account): void {
  const power = tronPower(account);
  account.oldTronPower = power === 0n ? -1n : power;
}
