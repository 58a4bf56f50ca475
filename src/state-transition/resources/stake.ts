import { type Account, AccountFreezeV2, ResourceCode } from '../../codec/generated/messages.js';

export { ResourceCode };

/** Stake 1.0 of the account itself for bandwidth, SUN. Reference: AccountCapsule.getFrozenBalance. */
export function frozenForBandwidth(account: Account): bigint {
  return account.frozen.reduce((sum, { frozenBalance }) => sum + frozenBalance, 0n);
}

export function frozenForEnergy(account: Account): bigint {
  return account.accountResource?.frozenBalanceForEnergy?.frozenBalance ?? 0n;
}

/** Stake 2.0 of the account itself for one resource, SUN. */
export function frozenV2(account: Account, resource: number): bigint {
  let sum = 0n;
  for (const { type, amount } of account.frozenV2) if (type === resource) sum += amount;
  return sum;
}

/** All stake that gives the account bandwidth, lent to it included. Reference: getAllFrozenBalanceForBandwidth. */
export function allFrozenForBandwidth(account: Account): bigint {
  return (
    frozenForBandwidth(account) +
    account.acquiredDelegatedFrozenBalanceForBandwidth +
    frozenV2(account, ResourceCode.BANDWIDTH) +
    account.acquiredDelegatedFrozenV2BalanceForBandwidth
  );
}

/** All stake that gives the account energy, lent to it included. Reference: getAllFrozenBalanceForEnergy. */
export function allFrozenForEnergy(account: Account): bigint {
  const resource = account.accountResource;
  return (
    frozenForEnergy(account) +
    (resource?.acquiredDelegatedFrozenBalanceForEnergy ?? 0n) +
    frozenV2(account, ResourceCode.ENERGY) +
    (resource?.acquiredDelegatedFrozenV2BalanceForEnergy ?? 0n)
  );
}

/** Own stake 2.0 and what was lent from it, SUN. Reference: getFrozenV2BalanceWithDelegated. */
export function frozenV2WithDelegated(account: Account, resource: number): bigint {
  const lent =
    resource === ResourceCode.BANDWIDTH
      ? account.delegatedFrozenV2BalanceForBandwidth
      : (account.accountResource?.delegatedFrozenV2BalanceForEnergy ?? 0n);
  return frozenV2(account, resource) + lent;
}

/** Adds to the stake 2.0 of a resource, which need not have an entry yet. Reference: addFrozenBalanceForResource. */
export function addFrozenV2(account: Account, resource: number, amount: bigint): void {
  const entry = account.frozenV2.find(({ type }) => type === resource);
  if (entry !== undefined) {
    entry.amount = BigInt.asIntN(64, entry.amount + amount);
    return;
  }
  account.frozenV2.push(Object.assign(new AccountFreezeV2(), { type: resource, amount }));
}

/** SUN that count for votes under the rule before the new resource model. Reference: AccountCapsule.getTronPower. */
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

/** SUN that count for votes under the new resource model. Reference: AccountCapsule.getAllTronPower. */
export function allTronPower(account: Account): bigint {
  const staked = (account.tronPower?.frozenBalance ?? 0n) + frozenV2(account, ResourceCode.TRON_POWER);
  if (account.oldTronPower === -1n) return staked;
  return staked + (account.oldTronPower === 0n ? tronPower(account) : account.oldTronPower);
}

/** Fixes, once, what an account could vote with before the new resource model; -1 stands for nothing. */
export function initializeOldTronPower(account: Account): void {
  const power = tronPower(account);
  account.oldTronPower = power === 0n ? -1n : power;
}
