import { type Account, AccountType, ResourceCode } from '../../codec/generated/messages.js';
import type { Address } from '../../primitives/address.js';
import { max64, wrap64 } from '../../primitives/int64.js';
import { DAY_MS, SUN_PER_TRX } from '../../primitives/units.js';
import type { VmAccounts } from '../balances/accounts.js';
import { refuse } from '../errors.js';
import { tronPower } from '../resources/stake.js';
import { delegatedBalance, delegatedUntil, delegationKey, newDelegation, setDelegated } from './delegation-rows.js';
import { acquired, addDelegated, addFrozen, removeFrozen, setAcquired, weightProperty } from './stake-fields.js';
import { collectReward } from './vote-reward.js';
import { clearVotes } from './votes.js';

const UNKNOWN_RESOURCE = 'Unknown ResourceCode, valid ResourceCode[BANDWIDTH、ENERGY]';

interface StakeV1 {
  readonly owner: Address;
  readonly receiver: Address;
  /** Resource code; -1 for an invalid code. */
  readonly resource: number;
  readonly depth: number;
}

/**
 * Freezes TRX of a contract as stake 1.0, for the contract itself or for another account. Reference:
 * FreezeBalanceProcessor.
 * @throws {ContractValidateError} the stake is not valid
 */
export function freezeV1(accounts: VmAccounts, { owner, receiver, resource, depth }: StakeV1, amount: bigint): void {
  const { state } = accounts;
  const { properties } = state;
  const found = accounts.existing(owner);
  if (amount <= 0n) refuse('FrozenBalance must be positive');
  if (amount < SUN_PER_TRX) refuse('FrozenBalance must be more than 1TRX');
  if (amount > found.balance) refuse('FrozenBalance must be less than accountBalance');
  if (found.frozen.length > 1) refuse('FrozenCount must be 0 or 1');
  if (resource !== ResourceCode.BANDWIDTH && resource !== ResourceCode.ENERGY) refuse(UNKNOWN_RESOURCE);
  const isDelegated = owner !== receiver;
  if (isDelegated) {
    const target = accounts.get(receiver) ?? accounts.createNormal(receiver, depth);
    if (target.type === AccountType.Contract) refuse('Do not allow delegate resources to contract addresses');
  }
  const days = state.rules.checkFrozenTime ? properties.get('MIN_FROZEN_TIME') : 0n;
  const expireTime = properties.get('latest_block_header_timestamp') + days * DAY_MS;
  const account = accounts.writeExisting(owner);
  if (isDelegated) delegate(accounts, { owner, receiver, resource, amount, expireTime }, account);
  else addFrozen(account, resource, amount, expireTime);
  properties.add(weightProperty(resource), amount / SUN_PER_TRX);
  account.balance -= amount;
}

interface StakeDelegation {
  readonly owner: Address;
  readonly receiver: Address;
  readonly resource: number;
  readonly amount: bigint;
  readonly expireTime: bigint;
}

function delegate(
  accounts: VmAccounts,
  { owner, receiver, resource, amount, expireTime }: StakeDelegation,
  account: Account,
): void {
  const { delegatedResources } = accounts.state;
  const key = delegationKey(owner, receiver);
  if (!delegatedResources.has(key)) delegatedResources.put(key, newDelegation(owner, receiver));
  const row = delegatedResources.existingToWrite(key);
  const target = accounts.writeExisting(receiver);
  setDelegated(row, resource, delegatedBalance(row, resource) + amount, expireTime);
  setAcquired(target, resource, acquired(target, resource) + amount);
  addDelegated(account, resource, amount);
}

/**
 * Unfreezes expired stake 1.0. Reference: UnfreezeBalanceProcessor.
 * @returns the amount that was returned to the contract, in SUN
 * @throws {ContractValidateError} the resource is invalid, or no expired stake or delegation exists
 */
export function unfreeze(accounts: VmAccounts, { owner, receiver, resource }: StakeV1): bigint {
  const { state } = accounts;
  validateUnfreeze(accounts, owner, receiver, resource);
  const account = accounts.writeExisting(owner);
  const now = state.properties.get('latest_block_header_timestamp');
  const amount =
    owner === receiver
      ? removeFrozen(account, resource, now)
      : undelegate(accounts, { owner, receiver, resource }, account);
  account.balance = wrap64(account.balance + amount);
  state.properties.add(weightProperty(resource), -amount / SUN_PER_TRX);
  dropVotes(accounts, owner, account);
  return amount;
}

function validateUnfreeze(accounts: VmAccounts, owner: Address, receiver: Address, resource: number): void {
  const { state } = accounts;
  const account = accounts.existing(owner);
  const now = state.properties.get('latest_block_header_timestamp');
  const isKnown = resource === ResourceCode.BANDWIDTH || resource === ResourceCode.ENERGY;
  const isBandwidth = resource === ResourceCode.BANDWIDTH;
  if (owner !== receiver) {
    const row = state.delegatedResources.get(delegationKey(owner, receiver));
    if (row === undefined) refuse('delegated Resource does not exist');
    if (!isKnown) refuse(UNKNOWN_RESOURCE);
    if (delegatedBalance(row, resource) <= 0n)
      refuse(isBandwidth ? 'no delegatedFrozenBalance(BANDWIDTH)' : 'no delegateFrozenBalance(Energy)');
    if (delegatedUntil(row, resource) > now)
      refuse(`It's not time to unfreeze(${isBandwidth ? 'BANDWIDTH' : 'Energy'}).`);
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

function undelegate(
  accounts: VmAccounts,
  { owner, receiver, resource }: Pick<StakeDelegation, 'owner' | 'receiver' | 'resource'>,
  account: Account,
): bigint {
  const row = accounts.state.delegatedResources.existingToWrite(delegationKey(owner, receiver));
  const target = accounts.write(receiver);
  const amount = delegatedBalance(row, resource);
  setDelegated(row, resource, 0n, 0n);
  addDelegated(account, resource, -amount);
  if (target !== undefined) setAcquired(target, resource, max64(0n, acquired(target, resource) - amount));
  return amount;
}

/** Removes all votes of the owner if the remaining voting power does not suffice for them. */
function dropVotes(accounts: VmAccounts, owner: Address, account: Account): void {
  if (!accounts.state.properties.isOn('ALLOW_TVM_VOTE') || account.votes.length === 0) return;
  const used = account.votes.reduce((sum, { voteCount }) => sum + voteCount, 0n);
  if (tronPower(account) >= BigInt.asIntN(64, used * SUN_PER_TRX)) return;
  collectReward(accounts, owner);
  const row = accounts.writeExisting(owner);
  clearVotes(accounts.state, owner, row);
}
