import {
  type Account,
  AccountFrozen,
  AccountType,
  DelegatedResource,
  ResourceCode,
} from '../../codec/generated/messages.js';
import { type Address, addressBytes } from '../../domain/address.js';
import { max64 } from '../../domain/int64.js';
import { DAY_MS, SUN_PER_TRX } from '../../domain/units.js';
import { refuse } from '../errors.js';
import { frozenForBandwidth, tronPower } from '../resources/stake.js';
import { resourceOf } from '../state/state.js';
import type { VmAccounts } from './accounts.js';
import { collectReward } from './vote-reward.js';
import { votesToWrite } from './votes.js';

const UNKNOWN_RESOURCE = 'Unknown ResourceCode, valid ResourceCode[BANDWIDTH、ENERGY]';

interface StakeV1 {
  readonly owner: Address;
  readonly receiver: Address;
  /** Number of a resource; -1 for a number that none has. */
  readonly resource: number;
  readonly depth: number;
}

/** Stake 1.0 by a contract, for itself or another account. Reference: FreezeBalanceProcessor. @throws {ContractValidateError} */
export function freeze(accounts: VmAccounts, { owner, receiver, resource, depth }: StakeV1, amount: bigint): void {
  const { state } = accounts;
  const { properties } = state;
  const found = accounts.get(owner)!;
  if (amount <= 0n) refuse('FrozenBalance must be positive');
  if (amount < SUN_PER_TRX) refuse('FrozenBalance must be more than 1TRX');
  if (amount > found.balance) refuse('FrozenBalance must be less than accountBalance');
  if (found.frozen.length > 1) refuse('FrozenCount must be 0 or 1');
  if (resource !== ResourceCode.BANDWIDTH && resource !== ResourceCode.ENERGY) refuse(UNKNOWN_RESOURCE);
  const isLent = owner !== receiver;
  if (isLent) {
    const target = accounts.get(receiver) ?? accounts.createNormal(receiver, depth);
    if (target.type === AccountType.Contract) refuse('Do not allow delegate resources to contract addresses');
  }
  const days = state.rules.checkFrozenTime ? properties.get('MIN_FROZEN_TIME') : 0n;
  const expireTime = properties.get('latest_block_header_timestamp') + days * DAY_MS;
  const isBandwidth = resource === ResourceCode.BANDWIDTH;
  const account = accounts.write(owner)!;
  if (isLent) lend(accounts, { owner, receiver, isBandwidth, amount, expireTime }, account);
  else if (isBandwidth) {
    const frozen = frozenOf(amount + frozenForBandwidth(account), expireTime);
    account.frozen = [frozen, ...account.frozen.slice(1)];
  } else {
    const before = account.accountResource?.frozenBalanceForEnergy?.frozenBalance ?? 0n;
    resourceOf(account).frozenBalanceForEnergy = frozenOf(amount + before, expireTime);
  }
  properties.add(isBandwidth ? 'TOTAL_NET_WEIGHT' : 'TOTAL_ENERGY_WEIGHT', amount / SUN_PER_TRX);
  account.balance -= amount;
}

function lend(
  accounts: VmAccounts,
  loan: { owner: Address; receiver: Address; isBandwidth: boolean; amount: bigint; expireTime: bigint },
  account: Account,
): void {
  const { owner, receiver, isBandwidth, amount, expireTime } = loan;
  const { delegatedResources } = accounts.state;
  const key = owner + receiver;
  if (!delegatedResources.has(key)) delegatedResources.put(key, newDelegation(owner, receiver));
  const row = delegatedResources.toWrite(key)!;
  const target = accounts.write(receiver)!;
  if (isBandwidth) {
    row.frozenBalanceForBandwidth += amount;
    row.expireTimeForBandwidth = expireTime;
    target.acquiredDelegatedFrozenBalanceForBandwidth += amount;
    account.delegatedFrozenBalanceForBandwidth += amount;
  } else {
    row.frozenBalanceForEnergy += amount;
    row.expireTimeForEnergy = expireTime;
    resourceOf(target).acquiredDelegatedFrozenBalanceForEnergy += amount;
    resourceOf(account).delegatedFrozenBalanceForEnergy += amount;
  }
}

export function newDelegation(from: Address, to: Address): DelegatedResource {
  return Object.assign(new DelegatedResource(), { from: addressBytes(from), to: addressBytes(to) });
}

function frozenOf(frozenBalance: bigint, expireTime: bigint): AccountFrozen {
  return Object.assign(new AccountFrozen(), { frozenBalance, expireTime });
}

/**
 * Takes stake 1.0 back whose time is over. Reference: UnfreezeBalanceProcessor.
 * @returns SUN that the contract got back
 * @throws {ContractValidateError}
 */
export function unfreeze(accounts: VmAccounts, { owner, receiver, resource }: StakeV1): bigint {
  const { state } = accounts;
  validateUnfreeze(accounts, owner, receiver, resource);
  const isBandwidth = resource === ResourceCode.BANDWIDTH;
  const account = accounts.write(owner)!;
  const amount =
    owner === receiver
      ? takeOwn(accounts, account, isBandwidth)
      : takeLent(accounts, { owner, receiver, isBandwidth }, account);
  state.properties.add(isBandwidth ? 'TOTAL_NET_WEIGHT' : 'TOTAL_ENERGY_WEIGHT', -amount / SUN_PER_TRX);
  dropVotes(accounts, owner, account);
  return amount;
}

function validateUnfreeze(accounts: VmAccounts, owner: Address, receiver: Address, resource: number): void {
  const { state } = accounts;
  const account = accounts.get(owner)!;
  const now = state.properties.get('latest_block_header_timestamp');
  const isKnown = resource === ResourceCode.BANDWIDTH || resource === ResourceCode.ENERGY;
  const isBandwidth = resource === ResourceCode.BANDWIDTH;
  if (owner !== receiver) {
    const row = state.delegatedResources.get(owner + receiver);
    if (row === undefined) refuse('delegated Resource does not exist');
    if (!isKnown) refuse(UNKNOWN_RESOURCE);
    const frozen = isBandwidth ? row.frozenBalanceForBandwidth : row.frozenBalanceForEnergy;
    const expires = isBandwidth ? row.expireTimeForBandwidth : row.expireTimeForEnergy;
    if (frozen <= 0n) refuse(isBandwidth ? 'no delegatedFrozenBalance(BANDWIDTH)' : 'no delegateFrozenBalance(Energy)');
    if (expires > now) refuse(`It's not time to unfreeze(${isBandwidth ? 'BANDWIDTH' : 'Energy'}).`);
    return;
  }
  if (!isKnown) refuse(UNKNOWN_RESOURCE);
  if (isBandwidth) {
    if (account.frozen.length === 0) refuse('no frozenBalance(BANDWIDTH)');
    if (!account.frozen.some(({ expireTime }) => expireTime <= now)) refuse("It's not time to unfreeze(BANDWIDTH).");
    return;
  }
  const frozen = account.accountResource?.frozenBalanceForEnergy;
  if ((frozen?.frozenBalance ?? 0n) <= 0n) refuse('no frozenBalance(Energy)');
  if ((frozen?.expireTime ?? 0n) > now) refuse("It's not time to unfreeze(Energy).");
}

function takeOwn({ state }: VmAccounts, account: Account, isBandwidth: boolean): bigint {
  const now = state.properties.get('latest_block_header_timestamp');
  let amount = 0n;
  if (isBandwidth) {
    for (const { frozenBalance, expireTime } of account.frozen) if (expireTime <= now) amount += frozenBalance;
    account.frozen = account.frozen.filter(({ expireTime }) => expireTime > now);
  } else {
    const resource = resourceOf(account);
    amount = resource.frozenBalanceForEnergy?.frozenBalance ?? 0n;
    resource.frozenBalanceForEnergy = undefined;
  }
  account.balance = BigInt.asIntN(64, account.balance + amount);
  return amount;
}

function takeLent(
  accounts: VmAccounts,
  { owner, receiver, isBandwidth }: { owner: Address; receiver: Address; isBandwidth: boolean },
  account: Account,
): bigint {
  const row = accounts.state.delegatedResources.toWrite(owner + receiver)!;
  const target = accounts.write(receiver);
  const amount = isBandwidth ? row.frozenBalanceForBandwidth : row.frozenBalanceForEnergy;
  if (isBandwidth) {
    row.frozenBalanceForBandwidth = 0n;
    row.expireTimeForBandwidth = 0n;
    account.delegatedFrozenBalanceForBandwidth -= amount;
    if (target !== undefined) {
      target.acquiredDelegatedFrozenBalanceForBandwidth = max64(
        0n,
        target.acquiredDelegatedFrozenBalanceForBandwidth - amount,
      );
    }
  } else {
    row.frozenBalanceForEnergy = 0n;
    row.expireTimeForEnergy = 0n;
    resourceOf(account).delegatedFrozenBalanceForEnergy -= amount;
    if (target !== undefined) {
      const resource = resourceOf(target);
      resource.acquiredDelegatedFrozenBalanceForEnergy = max64(
        0n,
        resource.acquiredDelegatedFrozenBalanceForEnergy - amount,
      );
    }
  }
  account.balance = BigInt.asIntN(64, account.balance + amount);
  return amount;
}

/** Takes all votes back when the stake that is left does not carry them. */
function dropVotes(accounts: VmAccounts, owner: Address, account: Account): void {
  if (!accounts.state.properties.isOn('ALLOW_TVM_VOTE') || account.votes.length === 0) return;
  const used = account.votes.reduce((sum, { voteCount }) => sum + voteCount, 0n);
  if (tronPower(account) >= BigInt.asIntN(64, used * SUN_PER_TRX)) return;
  collectReward(accounts, owner);
  const row = accounts.write(owner)!;
  votesToWrite(accounts.state, owner, row.votes).newVotes = [];
  row.votes = [];
}
