import { type Account, AccountFrozen, type AccountUnFreezeV2, Votes } from '../../../codec/generated/messages.js';
import { type Address, addressBytes, isAddress, toAddress } from '../../../domain/address.js';
import { SUN_PER_TRX } from '../../../domain/units.js';
import { refuse } from '../../errors.js';
import type { LongProperty } from '../../parameters/property-table.js';
import {
  frozenForBandwidth,
  frozenForEnergy,
  frozenV2,
  frozenV2WithDelegated,
  ResourceCode,
} from '../../resources/stake.js';
import { resourceOf, type State } from '../../state/state.js';

const WEIGHTS: Readonly<Record<number, LongProperty>> = {
  [ResourceCode.BANDWIDTH]: 'TOTAL_NET_WEIGHT',
  [ResourceCode.ENERGY]: 'TOTAL_ENERGY_WEIGHT',
  [ResourceCode.TRON_POWER]: 'TOTAL_TRON_POWER_WEIGHT',
};

/** Adds TRX to the stake of the whole network; never below zero once the newer reward rule is on. */
export function addTotalWeight(state: State, resource: number, trx: bigint): void {
  const property = WEIGHTS[resource];
  if (trx === 0n || property === undefined) return;
  const weight = state.properties.get(property) + trx;
  const isFloored = state.properties.isOn('ALLOW_NEW_REWARD') && weight < 0n;
  state.properties.set(property, isFloored ? 0n : weight);
}

/** The owner's account. @throws {ContractValidateError} `Invalid address`, `Account[…] not exists` */
export function requireOwner(state: State, address: Uint8Array, missing = 'not exists'): Account {
  if (!isAddress(address, state.rules.addressPrefix)) refuse('Invalid address');
  const owner = toAddress(address);
  return state.account(owner) ?? refuse(`Account[${owner}] ${missing}`);
}

/** Whole TRX of stake 1.0 in one resource. */
export function stakedTrx(account: Account, resource: number): bigint {
  if (resource === ResourceCode.BANDWIDTH) return frozenForBandwidth(account) / SUN_PER_TRX;
  if (resource === ResourceCode.ENERGY) return frozenForEnergy(account) / SUN_PER_TRX;
  return (account.tronPower?.frozenBalance ?? 0n) / SUN_PER_TRX;
}

/** Whole TRX of stake 2.0 in one resource, what is lent included. */
export function stakedTrxV2(account: Account, resource: number): bigint {
  const sun =
    resource === ResourceCode.TRON_POWER ? frozenV2(account, resource) : frozenV2WithDelegated(account, resource);
  return sun / SUN_PER_TRX;
}

export function acquired(account: Account, resource: number): bigint {
  if (resource === ResourceCode.BANDWIDTH) return account.acquiredDelegatedFrozenBalanceForBandwidth;
  return account.accountResource?.acquiredDelegatedFrozenBalanceForEnergy ?? 0n;
}

export function setAcquired(account: Account, resource: number, sun: bigint): void {
  if (resource === ResourceCode.BANDWIDTH) account.acquiredDelegatedFrozenBalanceForBandwidth = sun;
  else resourceOf(account).acquiredDelegatedFrozenBalanceForEnergy = sun;
}

export function acquiredV2(account: Account, resource: number): bigint {
  if (resource === ResourceCode.BANDWIDTH) return account.acquiredDelegatedFrozenV2BalanceForBandwidth;
  return account.accountResource?.acquiredDelegatedFrozenV2BalanceForEnergy ?? 0n;
}

export function setAcquiredV2(account: Account, resource: number, sun: bigint): void {
  if (resource === ResourceCode.BANDWIDTH) account.acquiredDelegatedFrozenV2BalanceForBandwidth = sun;
  else resourceOf(account).acquiredDelegatedFrozenV2BalanceForEnergy = sun;
}

export function addDelegated(account: Account, resource: number, sun: bigint): void {
  if (resource === ResourceCode.BANDWIDTH) account.delegatedFrozenBalanceForBandwidth += sun;
  else resourceOf(account).delegatedFrozenBalanceForEnergy += sun;
}

export function addDelegatedV2(account: Account, resource: number, sun: bigint): void {
  if (resource === ResourceCode.BANDWIDTH) account.delegatedFrozenV2BalanceForBandwidth += sun;
  else resourceOf(account).delegatedFrozenV2BalanceForEnergy += sun;
}

export function frozen(frozenBalance: bigint, expireTime: bigint): AccountFrozen {
  return Object.assign(new AccountFrozen(), { frozenBalance, expireTime });
}

/** Takes unstaked amounts whose wait is over out of the list and adds them to the balance; answers their sum. */
export function payExpired(account: Account, nowMs: bigint): bigint {
  const isExpired = ({ unfreezeExpireTime }: AccountUnFreezeV2): boolean => unfreezeExpireTime <= nowMs;
  const sum = account.unfrozenV2.reduce(
    (total, entry) => (isExpired(entry) ? total + entry.unfreezeAmount : total),
    0n,
  );
  account.unfrozenV2 = account.unfrozenV2.filter((entry) => !isExpired(entry));
  account.balance = BigInt.asIntN(64, account.balance + sum);
  return sum;
}

/** The row of votes cast since the last maintenance, made from the account's when there is none. For writing. */
export function votesToWrite(state: State, owner: Address, account: Account): Votes {
  const row = state.votes.toWrite(owner);
  if (row !== undefined) return row;
  const votes = Object.assign(new Votes(), {
    address: addressBytes(owner),
    oldVotes: account.votes.map((vote) => vote.clone()),
  });
  state.votes.put(owner, votes);
  return votes;
}

/** Takes all votes of an account back. */
export function clearVotes(state: State, owner: Address, account: Account): void {
  votesToWrite(state, owner, account).newVotes = [];
  account.votes = [];
}
