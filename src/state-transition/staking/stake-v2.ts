import { type Account, AccountType, AccountUnFreezeV2, ResourceCode } from '../../codec/generated/messages.js';
import type { Address } from '../../primitives/address.js';
import { DAY_MS, SUN_PER_TRX } from '../../primitives/units.js';
import type { VmAccounts } from '../balances/accounts.js';
import { hasPassed } from '../consensus/fork-versions.js';
import { refuse } from '../errors.js';
import { VERSION } from '../parameters/block-versions.js';
import { addFrozenV2, initializeOldTronPower } from '../resources/stake.js';
import { headSlot, undelegateIncrease, usageOfAccount } from '../resources/usage.js';
import type { State } from '../state/state.js';
import { refusedAsTimeout } from '../vm-error.js';
import { availableStake, takeAcquired } from './delegatable-stake.js';
import {
  delegatedBalance,
  delegationKeyV2,
  indexDelegation,
  isEmptyDelegation,
  newDelegation,
  setDelegated,
  unindexDelegation,
} from './delegation-rows.js';
import { acquiredV2, addDelegatedV2, setAcquiredV2, setUsage, stakedTrxV2, weightProperty } from './stake-fields.js';
import { expiredUnfreezing, payExpired } from './unfreezing.js';
import { collectReward } from './vote-reward.js';
import { reduceVotes } from './votes.js';

/** Maximum number of pending unfreezings. Reference: UnfreezeBalanceV2Actuator.UNFREEZE_MAX_TIMES. */
export const UNFREEZE_MAX = 32;
const { BANDWIDTH, ENERGY, TRON_POWER } = ResourceCode;
const TWO_RESOURCES = 'Unknown ResourceCode, valid ResourceCode[BANDWIDTH、ENERGY]';
const THREE_RESOURCES = 'Unknown ResourceCode, valid ResourceCode[BANDWIDTH、ENERGY、TRON_POWER]';

/**
 * Freezes TRX of a contract as stake 2.0. Reference: FreezeBalanceV2Processor.
 * @throws {ContractValidateError} amount or resource is invalid
 */
export function freezeV2(accounts: VmAccounts, owner: Address, resource: number, amount: bigint): void {
  const { state } = accounts;
  const found = accounts.existing(owner);
  if (amount <= 0n) refuse('FrozenBalance must be positive');
  if (amount < SUN_PER_TRX) refuse('FrozenBalance must be more than 1TRX');
  if (amount > found.balance) refuse('FrozenBalance must be less than accountBalance');
  requireResource(state, resource);
  const account = accounts.writeExisting(owner);
  if (hasNewModel(state) && account.oldTronPower === 0n) initializeOldTronPower(account);
  changeStake(state, account, resource, amount);
  account.balance -= amount;
}

/**
 * Starts to unfreeze stake 2.0, and withdraws expired unfreezings. Reference: UnfreezeBalanceV2Processor.
 * @returns the withdrawn amount in SUN
 * @throws {ContractValidateError} the unfreezing is invalid; {VmError} OUT_OF_TIME, since 4.8.2.2: a delegated amount
 * is negative
 */
export function unfreezeV2(accounts: VmAccounts, owner: Address, resource: number, amount: bigint): bigint {
  const { state } = accounts;
  const now = state.properties.get('latest_block_header_timestamp');
  validateUnfreezeV2(state, accounts.existing(owner), resource, amount);
  collectReward(accounts, owner);
  const account = accounts.writeExisting(owner);
  const due = payExpired(account, now);
  if (hasNewModel(state) && account.oldTronPower === 0n) initializeOldTronPower(account);
  const unfreezeExpireTime = now + state.properties.get('UNFREEZE_DELAY_DAYS') * DAY_MS;
  const entry = { type: resource, unfreezeAmount: amount, unfreezeExpireTime };
  account.unfrozenV2.push(Object.assign(new AccountUnFreezeV2(), entry));
  changeStake(state, account, resource, -amount);
  if (state.properties.isOn('ALLOW_TVM_VOTE')) reduceVotes(state, owner, account, resource);
  if (hasNewModel(state) && account.oldTronPower !== -1n) account.oldTronPower = -1n;
  return due;
}

function validateUnfreezeV2(state: State, account: Account, resource: number, amount: bigint): void {
  const now = state.properties.get('latest_block_header_timestamp');
  const unfreezing = account.unfrozenV2.filter(({ unfreezeExpireTime }) => unfreezeExpireTime > now).length;
  if (unfreezing >= UNFREEZE_MAX) refuse('Invalid unfreeze operation, unfreezing times is over limit');
  requireResource(state, resource);
  if (!account.frozenV2.some((entry) => entry.type === resource && entry.amount > 0n)) {
    refuse(`no frozenBalance(${['BANDWIDTH', 'ENERGY', 'TRON_POWER'][resource]})`);
  }
  const frozen = account.frozenV2.find(({ type }) => type === resource)?.amount ?? 0n;
  if (amount <= 0n || amount > frozen) refuse(`Invalid unfreeze_balance, [${amount}] is error`);
  requireValidDelegations(state, account);
}

/**
 * Rejects an account with a negative delegated amount. Such an amount can result from a delegation to a contract that
 * was destroyed and created again. Reference: AccountCapsule.hasInvalidDelegatedV2.
 * @throws {VmError} OUT_OF_TIME, since 4.8.2.2: a delegated amount is negative
 */
function requireValidDelegations(
  state: State,
  { delegatedFrozenV2BalanceForBandwidth, accountResource }: Account,
): void {
  const energy = accountResource?.delegatedFrozenV2BalanceForEnergy ?? 0n;
  const isSound = delegatedFrozenV2BalanceForBandwidth >= 0n && energy >= 0n;
  if (!isSound && hasPassed(state, VERSION.V4_8_2_2)) throw refusedAsTimeout('invalid delegated V2 balance');
}

/**
 * Withdraws expired unfreezings. Reference: WithdrawExpireUnfreezeProcessor.
 * @returns the withdrawn amount in SUN
 * @throws {ContractValidateError} the new balance would exceed 64 bits; {VmError} OUT_OF_TIME, since 4.8.2.2: a
 * delegated amount is negative
 */
export function withdrawUnfrozen(accounts: VmAccounts, owner: Address): bigint {
  const now = accounts.state.properties.get('latest_block_header_timestamp');
  const found = accounts.existing(owner);
  const due = expiredUnfreezing(found, now);
  if (due < 0n) refuse('no unFreeze balance to withdraw ');
  if (BigInt.asIntN(64, found.balance + due) !== found.balance + due) refuse('overflow: checkedAdd');
  requireValidDelegations(accounts.state, found);
  if (due === 0n) return 0n;
  const account = accounts.writeExisting(owner);
  account.balance += due;
  account.unfrozenV2 = account.unfrozenV2.filter(({ unfreezeExpireTime }) => unfreezeExpireTime > now);
  return due;
}

/** Amount withdrawn, and amounts staked again per resource, in SUN. */
export interface Cancelled {
  readonly due: bigint;
  readonly restaked: ReadonlyMap<number, bigint>;
}

/**
 * Stakes all pending unfreezings again, and withdraws expired unfreezings. Reference: CancelAllUnfreezeV2Processor.
 * @throws {VmError} OUT_OF_TIME, since 4.8.2.2: a delegated amount is negative
 */
export function cancelUnfreezing(accounts: VmAccounts, owner: Address): Cancelled {
  const { state } = accounts;
  requireValidDelegations(state, accounts.existing(owner));
  const now = state.properties.get('latest_block_header_timestamp');
  const account = accounts.writeExisting(owner);
  let due = 0n;
  const restaked = new Map<number, bigint>();
  for (const { type, unfreezeAmount, unfreezeExpireTime } of account.unfrozenV2) {
    if (unfreezeExpireTime > now) {
      changeStake(state, account, type, unfreezeAmount);
      restaked.set(type, (restaked.get(type) ?? 0n) + unfreezeAmount);
    } else due += unfreezeAmount;
  }
  if (due > 0n) account.balance = BigInt.asIntN(64, account.balance + due);
  account.unfrozenV2 = [];
  return { due, restaked };
}

/**
 * Adds an amount of SUN, which may be negative, to a stake. Changes the total stake of the network in TRX accordingly.
 */
function changeStake(state: State, account: Account, resource: number, amount: bigint): void {
  const before = stakedTrxV2(account, resource);
  addFrozenV2(account, resource, amount);
  state.properties.add(weightProperty(resource), stakedTrxV2(account, resource) - before);
}

/** Stake 2.0 that an account delegates or undelegates. */
interface StakeDelegation {
  readonly owner: Address;
  readonly receiver: Address;
  readonly resource: number;
  readonly amount: bigint;
}

/**
 * Delegates stake 2.0. Reference: DelegateResourceProcessor.
 * @throws {ContractValidateError} the delegation is invalid
 */
export function delegate(accounts: VmAccounts, { owner, receiver, resource, amount }: StakeDelegation): void {
  const { state } = accounts;
  validateDelegate(accounts, { owner, receiver, resource, amount });
  const key = delegationKeyV2(owner, receiver, false);
  if (!state.delegatedResources.has(key)) state.delegatedResources.put(key, newDelegation(owner, receiver));
  const row = state.delegatedResources.existingToWrite(key);
  const account = accounts.writeExisting(owner);
  const target = accounts.writeExisting(receiver);
  setDelegated(row, resource, delegatedBalance(row, resource) + amount, 0n);
  setAcquiredV2(target, resource, acquiredV2(target, resource) + amount);
  addDelegatedV2(account, resource, amount);
  addFrozenV2(account, resource, -amount);
  indexDelegation(state, 'v2', owner, receiver, state.properties.get('latest_block_header_timestamp'));
}

function validateDelegate(accounts: VmAccounts, { owner, receiver, resource, amount }: StakeDelegation): void {
  const { state } = accounts;
  if (!state.properties.isOn('ALLOW_DELEGATE_RESOURCE')) refuse('No support for resource delegate');
  if (amount < SUN_PER_TRX) refuse('delegateBalance must be more than 1TRX');
  if (resource !== BANDWIDTH && resource !== ENERGY) refuse(TWO_RESOURCES);
  const free = availableStake(state, accounts.existing(owner), resource);
  const name = resource === BANDWIDTH ? 'Bandwidth' : 'Energy';
  if (free < amount) refuse(`delegateBalance must be less than available Freeze${name}V2 balance`);
  if (receiver === owner) refuse('receiverAddress must not be the same as ownerAddress');
  const target = accounts.get(receiver);
  if (target === undefined) refuse(`Account[${receiver}] not exists`);
  if (target.type === AccountType.Contract) refuse('Do not allow delegate resources to contract addresses');
}

/**
 * Undelegates stake 2.0. A share of the receiver's usage moves back with the stake. Reference:
 * UnDelegateResourceProcessor.
 * @throws {ContractValidateError} the undelegation is invalid
 */
export function undelegate(accounts: VmAccounts, { owner, receiver, resource, amount }: StakeDelegation): void {
  const { state } = accounts;
  const key = delegationKeyV2(owner, receiver, false);
  validateUndelegate(state, { owner, receiver, resource, amount });
  const now = headSlot(state);
  const target = accounts.write(receiver);
  let moved = 0n;
  if (target !== undefined) {
    moved = takeAcquired(state, target, { resource, sun: amount, most: mostUsage });
    setUsage(target, resource, usageOfAccount(target, resource) - moved, now);
  }
  const account = accounts.writeExisting(owner);
  const row = state.delegatedResources.existingToWrite(key);
  setDelegated(row, resource, delegatedBalance(row, resource) - amount, 0n);
  addDelegatedV2(account, resource, -amount);
  addFrozenV2(account, resource, amount);
  if (target !== undefined && moved > 0n) {
    const usage = undelegateIncrease(state, account, target, { transferUsage: moved, resource, now });
    setUsage(account, resource, usage, now);
  }
  if (isEmptyDelegation(row)) unindexDelegation(state, 'v2', owner, receiver);
}

function mostUsage(trx: number, limit: number, weight: number): number {
  return (trx * limit) / weight;
}

function validateUndelegate(state: State, { owner, receiver, resource, amount }: StakeDelegation): void {
  if (!state.properties.isOn('ALLOW_DELEGATE_RESOURCE')) refuse('No support for resource delegate');
  if (receiver === owner) refuse('receiverAddress must not be the same as ownerAddress');
  const row = state.delegatedResources.get(delegationKeyV2(owner, receiver, false));
  if (row === undefined) refuse('delegated Resource does not exist');
  if (amount <= 0n) refuse('unDelegateBalance must be more than 0 TRX');
  if (resource !== BANDWIDTH && resource !== ENERGY) refuse(TWO_RESOURCES);
  const delegated = delegatedBalance(row, resource);
  const name = resource === BANDWIDTH ? 'delegatedFrozenBalance(BANDWIDTH)' : 'delegateFrozenBalance(ENERGY)';
  if (delegated < amount) refuse(`insufficient ${name}, request=${amount}, balance=${delegated}`);
}

function requireResource(state: State, resource: number): void {
  if (resource === BANDWIDTH || resource === ENERGY) return;
  if (resource === TRON_POWER && hasNewModel(state)) return;
  refuse(resource === TRON_POWER || !hasNewModel(state) ? TWO_RESOURCES : THREE_RESOURCES);
}

function hasNewModel(state: State): boolean {
  return state.properties.isOn('ALLOW_NEW_RESOURCE_MODEL');
}
