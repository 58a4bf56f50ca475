import {
  type Account,
  AccountType,
  AccountUnFreezeV2,
  DelegatedResourceAccountIndex,
  ResourceCode,
  Vote,
} from '../../codec/generated/messages.js';
import { type Address, addressBytes } from '../../domain/address.js';
import { max64, min64 } from '../../domain/int64.js';
import { DAY_MS, SUN_PER_TRX } from '../../domain/units.js';
import { toLong } from '../../java/double.js';
import { refuse } from '../errors.js';
import { expiredUnfreezing } from '../precompiles/getters.js';
import { updateStakedUsage } from '../resources/bandwidth.js';
import { updateEnergyUsage } from '../resources/energy.js';
import {
  addFrozenV2,
  allFrozenForBandwidth,
  allFrozenForEnergy,
  allTronPower,
  frozenForBandwidth,
  frozenForEnergy,
  frozenV2,
  frozenV2WithDelegated,
  initializeOldTronPower,
  tronPower,
} from '../resources/stake.js';
import { headSlot, undelegateIncrease } from '../resources/usage.js';
import { resourceOf, type State } from '../state/state.js';
import type { VmAccounts } from './accounts.js';
import { newDelegation } from './stake-v1.js';
import { collectReward } from './vote-reward.js';
import { votesToWrite } from './votes.js';

const UNFREEZE_MAX = 32;
const { BANDWIDTH, ENERGY, TRON_POWER } = ResourceCode;
const TWO_RESOURCES = 'Unknown ResourceCode, valid ResourceCode[BANDWIDTH、ENERGY]';
const THREE_RESOURCES = 'Unknown ResourceCode, valid ResourceCode[BANDWIDTH、ENERGY、TRON_POWER]';

/** Stake 2.0 by a contract. Reference: FreezeBalanceV2Processor. @throws {ContractValidateError} */
export function freezeV2(accounts: VmAccounts, owner: Address, resource: number, amount: bigint): void {
  const { state } = accounts;
  const found = accounts.get(owner)!;
  if (amount <= 0n) refuse('FrozenBalance must be positive');
  if (amount < SUN_PER_TRX) refuse('FrozenBalance must be more than 1TRX');
  if (amount > found.balance) refuse('FrozenBalance must be less than accountBalance');
  requireResource(state, resource);
  const account = accounts.write(owner)!;
  if (hasNewModel(state) && account.oldTronPower === 0n) initializeOldTronPower(account);
  changeStake(state, account, resource, amount);
  account.balance -= amount;
}

/**
 * Starts to take stake 2.0 back, and withdraws what is due. Reference: UnfreezeBalanceV2Processor.
 * @returns SUN that were due
 * @throws {ContractValidateError}
 */
export function unfreezeV2(accounts: VmAccounts, owner: Address, resource: number, amount: bigint): bigint {
  const { state } = accounts;
  const now = state.properties.get('latest_block_header_timestamp');
  validateUnfreezeV2(state, accounts.get(owner)!, resource, amount);
  collectReward(accounts, owner);
  const account = accounts.write(owner)!;
  let due = 0n;
  for (const { unfreezeAmount, unfreezeExpireTime } of account.unfrozenV2) {
    if (unfreezeExpireTime <= now) due += unfreezeAmount;
  }
  account.unfrozenV2 = account.unfrozenV2.filter(({ unfreezeExpireTime }) => unfreezeExpireTime > now);
  account.balance = BigInt.asIntN(64, account.balance + due);
  if (hasNewModel(state) && account.oldTronPower === 0n) initializeOldTronPower(account);
  const unfreezeExpireTime = now + state.properties.get('UNFREEZE_DELAY_DAYS') * DAY_MS;
  const entry = { type: resource, unfreezeAmount: amount, unfreezeExpireTime };
  account.unfrozenV2.push(Object.assign(new AccountUnFreezeV2(), entry));
  changeStake(state, account, resource, -amount);
  reduceVotes(state, owner, account, resource);
  if (hasNewModel(state) && account.oldTronPower !== -1n) account.oldTronPower = -1n;
  return due;
}

function validateUnfreezeV2(state: State, account: Account, resource: number, amount: bigint): void {
  const now = state.properties.get('latest_block_header_timestamp');
  const waiting = account.unfrozenV2.filter(({ unfreezeExpireTime }) => unfreezeExpireTime > now).length;
  if (waiting >= UNFREEZE_MAX) refuse('Invalid unfreeze operation, unfreezing times is over limit');
  requireResource(state, resource);
  if (!account.frozenV2.some((entry) => entry.type === resource && entry.amount > 0n)) {
    refuse(`no frozenBalance(${['BANDWIDTH', 'ENERGY', 'TRON_POWER'][resource]})`);
  }
  const frozen = account.frozenV2.find(({ type }) => type === resource)?.amount ?? 0n;
  if (amount <= 0n || amount > frozen) refuse(`Invalid unfreeze_balance, [${amount}] is error`);
}

/** Votes follow the stake that is left. Reference: UnfreezeBalanceV2Processor.updateVote. */
function reduceVotes(state: State, owner: Address, account: Account, resource: number): void {
  if (!state.properties.isOn('ALLOW_TVM_VOTE') || account.votes.length === 0) return;
  if (hasNewModel(state)) {
    if (account.oldTronPower !== -1n) {
      const votes = votesToWrite(state, owner, account.votes);
      account.votes = [];
      votes.newVotes = [];
      return;
    }
    if (resource === BANDWIDTH || resource === ENERGY) return;
  }
  const total = account.votes.reduce((sum, { voteCount }) => sum + voteCount, 0n);
  if (total === 0n) return;
  const owned = hasNewModel(state) ? allTronPower(account) : tronPower(account);
  if (owned >= BigInt.asIntN(64, total * SUN_PER_TRX)) return;
  const votes = votesToWrite(state, owner, account.votes);
  const reduced: Vote[] = [];
  for (const { voteAddress, voteCount } of account.votes) {
    const share = ((Number(voteCount) / Number(total)) * Number(owned)) / Number(SUN_PER_TRX);
    const count = toLong(share);
    if (count > 0n) reduced.push(Object.assign(new Vote(), { voteAddress, voteCount: count }));
  }
  votes.newVotes = reduced.map((vote) => vote.clone());
  account.votes = reduced;
}

/** Withdraws unfrozen stake that is due. Reference: WithdrawExpireUnfreezeProcessor. @throws {ContractValidateError} */
export function withdrawUnfrozen(accounts: VmAccounts, owner: Address): bigint {
  const now = accounts.state.properties.get('latest_block_header_timestamp');
  const found = accounts.get(owner)!;
  const due = expiredUnfreezing(found, now);
  if (due < 0n) refuse('no unFreeze balance to withdraw ');
  if (BigInt.asIntN(64, found.balance + due) !== found.balance + due) refuse('overflow: checkedAdd');
  if (due === 0n) return 0n;
  const account = accounts.write(owner)!;
  account.balance += due;
  account.unfrozenV2 = account.unfrozenV2.filter(({ unfreezeExpireTime }) => unfreezeExpireTime > now);
  return due;
}

/** SUN that were due, and those that were staked again, by resource. */
export interface Cancelled {
  readonly due: bigint;
  readonly restaked: ReadonlyMap<number, bigint>;
}

/**
 * Puts all stake that waits to be unfrozen back, and withdraws what is due. Reference: CancelAllUnfreezeV2Processor.
 */
export function cancelUnfreezing(accounts: VmAccounts, owner: Address): Cancelled {
  const { state } = accounts;
  const now = state.properties.get('latest_block_header_timestamp');
  const account = accounts.write(owner)!;
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

/** Adds to a stake, negative to take away, and to the network's total in TRX. */
function changeStake(state: State, account: Account, resource: number, amount: bigint): void {
  const isVotes = resource === TRON_POWER;
  const weight = () =>
    (isVotes ? frozenV2(account, TRON_POWER) : frozenV2WithDelegated(account, resource)) / SUN_PER_TRX;
  const before = weight();
  addFrozenV2(account, resource, amount);
  const total = isVotes
    ? 'TOTAL_TRON_POWER_WEIGHT'
    : resource === BANDWIDTH
      ? 'TOTAL_NET_WEIGHT'
      : 'TOTAL_ENERGY_WEIGHT';
  state.properties.add(total, weight() - before);
}

/** Stake of a contract and who gets what it gives. */
interface Loan {
  readonly owner: Address;
  readonly receiver: Address;
  readonly resource: number;
  readonly amount: bigint;
}

/** Lends stake 2.0. Reference: DelegateResourceProcessor. @throws {ContractValidateError} */
export function delegate(accounts: VmAccounts, { owner, receiver, resource, amount }: Loan): void {
  const { state } = accounts;
  validateDelegate(accounts, { owner, receiver, resource, amount });
  const key = `01${owner}${receiver}`;
  if (!state.delegatedResources.has(key)) state.delegatedResources.put(key, newDelegation(owner, receiver));
  const row = state.delegatedResources.toWrite(key)!;
  const account = accounts.write(owner)!;
  const target = accounts.write(receiver)!;
  if (resource === BANDWIDTH) {
    row.frozenBalanceForBandwidth += amount;
    row.expireTimeForBandwidth = 0n;
    target.acquiredDelegatedFrozenV2BalanceForBandwidth += amount;
    account.delegatedFrozenV2BalanceForBandwidth += amount;
  } else {
    row.frozenBalanceForEnergy += amount;
    row.expireTimeForEnergy = 0n;
    resourceOf(target).acquiredDelegatedFrozenV2BalanceForEnergy += amount;
    resourceOf(account).delegatedFrozenV2BalanceForEnergy += amount;
  }
  addFrozenV2(account, resource, -amount);
  const timestamp = state.properties.get('latest_block_header_timestamp');
  const index = (of: Address) =>
    Object.assign(new DelegatedResourceAccountIndex(), { account: addressBytes(of), timestamp });
  state.delegationIndex.put(`03${owner}${receiver}`, index(receiver));
  state.delegationIndex.put(`04${receiver}${owner}`, index(owner));
}

function validateDelegate(accounts: VmAccounts, { owner, receiver, resource, amount }: Loan): void {
  const { state } = accounts;
  if (!state.properties.isOn('ALLOW_DELEGATE_RESOURCE')) refuse('No support for resource delegate');
  if (amount < SUN_PER_TRX) refuse('delegateBalance must be more than 1TRX');
  if (resource !== BANDWIDTH && resource !== ENERGY) refuse(TWO_RESOURCES);
  // The reference brings the usage of a copy up to date, which nobody stores.
  const copy = accounts.get(owner)!.clone();
  const free = frozenV2(copy, resource) - usedBeyondOthers(state, copy, resource);
  const name = resource === BANDWIDTH ? 'Bandwidth' : 'Energy';
  if (free < amount) refuse(`delegateBalance must be less than available Freeze${name}V2 balance`);
  if (receiver === owner) refuse('receiverAddress must not be the same as ownerAddress');
  const target = accounts.get(receiver);
  if (target === undefined) refuse(`Account[${receiver}] not exists`);
  if (target.type === AccountType.Contract) refuse('Do not allow delegate resources to contract addresses');
}

/** SUN of stake 2.0 that the current usage holds, after stake 1.0 and what others lent. */
function usedBeyondOthers(state: State, account: Account, resource: number): bigint {
  const { properties } = state;
  if (resource === BANDWIDTH) {
    updateStakedUsage(state, account);
    const price = Number(properties.get('TOTAL_NET_WEIGHT')) / Number(properties.get('TOTAL_NET_LIMIT'));
    const used = toLong(Number(BigInt.asIntN(64, account.netUsage * SUN_PER_TRX)) * price);
    return max64(
      0n,
      used -
        frozenForBandwidth(account) -
        account.acquiredDelegatedFrozenBalanceForBandwidth -
        account.acquiredDelegatedFrozenV2BalanceForBandwidth,
    );
  }
  updateEnergyUsage(state, account);
  const row = resourceOf(account);
  const price = Number(properties.get('TOTAL_ENERGY_WEIGHT')) / Number(properties.get('TOTAL_ENERGY_CURRENT_LIMIT'));
  const used = toLong(Number(BigInt.asIntN(64, row.energyUsage * SUN_PER_TRX)) * price);
  return max64(
    0n,
    used -
      frozenForEnergy(account) -
      row.acquiredDelegatedFrozenBalanceForEnergy -
      row.acquiredDelegatedFrozenV2BalanceForEnergy,
  );
}

/** Takes lent stake 2.0 back, with its share of the receiver's usage. Reference: UnDelegateResourceProcessor. */
export function undelegate(accounts: VmAccounts, { owner, receiver, resource, amount }: Loan): void {
  const { state } = accounts;
  const key = `01${owner}${receiver}`;
  validateUndelegate(state, { owner, receiver, resource, amount });
  const isBandwidth = resource === BANDWIDTH;
  const now = headSlot(state);
  const target = accounts.write(receiver);
  const moved = target === undefined ? 0n : takeUsage(state, target, resource, amount, now);
  const account = accounts.write(owner)!;
  const row = state.delegatedResources.toWrite(key)!;
  if (isBandwidth) {
    row.frozenBalanceForBandwidth -= amount;
    row.expireTimeForBandwidth = 0n;
    account.delegatedFrozenV2BalanceForBandwidth -= amount;
  } else {
    row.frozenBalanceForEnergy -= amount;
    row.expireTimeForEnergy = 0n;
    resourceOf(account).delegatedFrozenV2BalanceForEnergy -= amount;
  }
  addFrozenV2(account, resource, amount);
  if (target !== undefined && moved > 0n) {
    const usage = undelegateIncrease(state, account, target, { transferUsage: moved, resource, now });
    setUsage(account, resource, usage, now);
  }
  if (row.frozenBalanceForBandwidth === 0n && row.frozenBalanceForEnergy === 0n) {
    state.delegationIndex.delete(`03${owner}${receiver}`);
    state.delegationIndex.delete(`04${receiver}${owner}`);
  }
}

function validateUndelegate(state: State, { owner, receiver, resource, amount }: Loan): void {
  if (!state.properties.isOn('ALLOW_DELEGATE_RESOURCE')) refuse('No support for resource delegate');
  if (receiver === owner) refuse('receiverAddress must not be the same as ownerAddress');
  const row = state.delegatedResources.get(`01${owner}${receiver}`);
  if (row === undefined) refuse('delegated Resource does not exist');
  if (amount <= 0n) refuse('unDelegateBalance must be more than 0 TRX');
  if (resource !== BANDWIDTH && resource !== ENERGY) refuse(TWO_RESOURCES);
  const lent = resource === BANDWIDTH ? row.frozenBalanceForBandwidth : row.frozenBalanceForEnergy;
  const name = resource === BANDWIDTH ? 'delegatedFrozenBalance(BANDWIDTH)' : 'delegateFrozenBalance(ENERGY)';
  if (lent < amount) refuse(`insufficient ${name}, request=${amount}, balance=${lent}`);
}

/** Takes the usage that stands on the lent stake from the receiver. @returns that usage */
function takeUsage(state: State, target: Account, resource: number, amount: bigint, now: bigint): bigint {
  const { properties } = state;
  const isBandwidth = resource === BANDWIDTH;
  if (isBandwidth) updateStakedUsage(state, target);
  else updateEnergyUsage(state, target);
  const acquired = isBandwidth
    ? target.acquiredDelegatedFrozenV2BalanceForBandwidth
    : resourceOf(target).acquiredDelegatedFrozenV2BalanceForEnergy;
  const usage = isBandwidth ? target.netUsage : resourceOf(target).energyUsage;
  let moved = 0n;
  // A contract that destroyed itself and was made again has less than was lent to it.
  const isShort = acquired < amount;
  if (!isShort) {
    const limit = properties.get(isBandwidth ? 'TOTAL_NET_LIMIT' : 'TOTAL_ENERGY_CURRENT_LIMIT');
    const weight = properties.get(isBandwidth ? 'TOTAL_NET_WEIGHT' : 'TOTAL_ENERGY_WEIGHT');
    const most = toLong(((Number(amount) / Number(SUN_PER_TRX)) * Number(limit)) / Number(weight));
    const all = isBandwidth ? allFrozenForBandwidth(target) : allFrozenForEnergy(target);
    moved = min64(most, toLong(Number(usage) * (Number(amount) / Number(all))));
  }
  const left = isShort ? 0n : acquired - amount;
  if (isBandwidth) target.acquiredDelegatedFrozenV2BalanceForBandwidth = left;
  else resourceOf(target).acquiredDelegatedFrozenV2BalanceForEnergy = left;
  setUsage(target, resource, usage - moved, now);
  return moved;
}

/** Sets the usage of a resource as of slot `now`. */
export function setUsage(account: Account, resource: number, usage: bigint, now: bigint): void {
  if (resource === BANDWIDTH) {
    account.netUsage = usage;
    account.latestConsumeTime = now;
    return;
  }
  const row = resourceOf(account);
  row.energyUsage = usage;
  row.latestConsumeTimeForEnergy = now;
}

function requireResource(state: State, resource: number): void {
  if (resource === BANDWIDTH || resource === ENERGY) return;
  if (resource === TRON_POWER && hasNewModel(state)) return;
  refuse(resource === TRON_POWER || !hasNewModel(state) ? TWO_RESOURCES : THREE_RESOURCES);
}

function hasNewModel(state: State): boolean {
  return state.properties.isOn('ALLOW_NEW_RESOURCE_MODEL');
}
