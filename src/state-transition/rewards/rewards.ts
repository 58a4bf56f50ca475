import { Account, type Vote, type Witness } from '../../codec/generated/messages.js';
import { Writer } from '../../codec/writer.js';
import { toLong } from '../../java-compat/double.js';
import { type Address, toAddress } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import { fromInt64, toHex, toInt64, toUnsigned, utf8 } from '../../primitives/bytes.js';
import { min64, wrap64 } from '../../primitives/int64.js';
import { witnessOrder } from '../consensus/witness-order.js';
import { unchecked } from '../errors.js';
import type { State } from '../state/state.js';

/**
 * Fixed-point factor: rewards per vote are stored in units of 10^-18 SUN.
 * Reference: DelegationStore.DECIMAL_OF_VI_REWARD.
 */
const VI_DECIMALS = 10n ** 18n;
/**
 * Default percentage of the reward that a witness keeps.
 * Reference: DelegationStore.DEFAULT_BROKERAGE.
 */
const DEFAULT_BROKERAGE = 20n;
/**
 * Value that java-tron's getters return for a missing row of votes or of the end cycle. Reference:
 * DelegationStore.REMARK.
 */
const NONE = -1n;
/** Number of witnesses that share the standby reward. Reference: ChainConstant.WITNESS_STANDBY_LENGTH. */
export const STANDBY_WITNESSES = 127;
/** Cycle number that represents the current cycle in the row key of a witness's brokerage. */
const CURRENT = -1n;

/** Pays the block producer and the standby witnesses. Reference: Manager.payReward, MortgageService. */
export function payBlockRewards(state: State, producer: Address): void {
  const { properties } = state;
  if (!properties.isOn('CHANGE_DELEGATION')) {
    payAllowance(state, producer, properties.get('WITNESS_PAY_PER_BLOCK') + takeFeePoolShare(state));
    return;
  }
  payVoters(state, producer, properties.get('WITNESS_PAY_PER_BLOCK'));
  payStandby(state);
  if (properties.isOn('ALLOW_TRANSACTION_FEE_POOL')) payVoters(state, producer, takeFeePoolShare(state));
}

/** Moves an account's voting reward to its allowance. Reference: MortgageService.withdrawReward. */
export function withdrawReward(state: State, address: Address): void {
  if (!state.properties.isOn('CHANGE_DELEGATION')) return;
  const pay = (amount: bigint) => addAllowance(state, address, amount);
  settleReward(state, address, state.account(address), { rewardOf, pay });
}

/**
 * Returns the allowance in SUN that the account would have after `withdrawReward`. Returns 0 if the account does not
 * exist, or if rewards per cycle are not in force. Reference: MortgageService.queryReward.
 */
export function queryReward(state: State, address: Address): bigint {
  const account = state.properties.isOn('CHANGE_DELEGATION') ? state.account(address) : undefined;
  return account === undefined ? 0n : openAllowance(state, address, account, rewardOf);
}

/** Returns the reward of votes in SUN for the cycles from `start` up to, but not including, `end`. */
type RewardOf = (state: State, start: bigint, end: bigint, votes: readonly Vote[]) => bigint;

/** Pays an account's voting reward of all finished cycles, and records its votes for the current cycle. */
export function settleReward(
  state: State,
  address: Address,
  account: Account | undefined,
  { rewardOf, pay }: { readonly rewardOf: RewardOf; readonly pay: (amount: bigint) => void },
): void {
  const current = state.properties.get('CURRENT_CYCLE_NUMBER');
  let start = beginCycle(state, address);
  if (start > current || account === undefined) return;
  if (start === current && accountVote(state, start, address) !== undefined) return;
  // `pay` changes the account, but the row that is stored below must contain the account before the payment.
  const found = account.clone();
  if (start + 1n === endCycle(state, address) && start < current) {
    const before = accountVote(state, start, address);
    if (before !== undefined) pay(rewardOf(state, start, start + 1n, before.votes));
    start += 1n;
  }
  if (found.votes.length === 0) {
    setBeginCycle(state, address, current + 1n);
    return;
  }
  if (start < current) pay(rewardOf(state, start, current, found.votes));
  setBeginCycle(state, address, current);
  setEndCycle(state, address, current + 1n);
  setAccountVote(state, current, address, found);
}

/** Returns the allowance in SUN that the account would have after `settleReward`. */
export function openAllowance(state: State, address: Address, account: Account, rewardOf: RewardOf): bigint {
  const current = state.properties.get('CURRENT_CYCLE_NUMBER');
  let start = beginCycle(state, address);
  if (start > current) return account.allowance;
  let reward = 0n;
  if (start + 1n === endCycle(state, address) && start < current) {
    const before = accountVote(state, start, address);
    if (before !== undefined) reward = rewardOf(state, start, start + 1n, before.votes);
    start += 1n;
  }
  if (account.votes.length > 0 && start < current) reward += rewardOf(state, start, current, account.votes);
  return wrap64(reward + account.allowance);
}

/**
 * Returns the reward of votes in SUN. Cycles before `NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE` use the old reward
 * algorithm. Later cycles use the new algorithm, which accumulates rewards per vote. Reference:
 * MortgageService.computeReward.
 */
export function rewardOf(state: State, start: bigint, end: bigint, votes: readonly Vote[]): bigint {
  const newFrom = state.properties.get('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE');
  const old = oldRewards(state, start, min64(end, newFrom), votes);
  const newStart = start < newFrom ? min64(end, newFrom) : start;
  return newRewardOf(state, newStart, end, votes, old);
}

/**
 * Returns the reward in SUN by the new reward algorithm, which uses accumulated rewards per vote.
 * @param soFar amount in SUN to which the reward is added
 */
export function newRewardOf(state: State, start: bigint, end: bigint, votes: readonly Vote[], soFar = 0n): bigint {
  if (start >= end) return soFar;
  let reward = soFar;
  for (const { voteAddress, voteCount } of votes) {
    const witness = toHex(voteAddress);
    const delta = witnessVi(state, end - 1n, witness) - witnessVi(state, start - 1n, witness);
    if (delta > 0n) reward = wrap64(reward + wrap64((delta * voteCount) / VI_DECIMALS));
  }
  return reward;
}

/**
 * Stores the cumulative reward per vote (Vi) of a witness at the end of a cycle. It is the Vi of the previous cycle
 * plus the reward per vote of this cycle. Called at maintenance. Reference: DelegationStore.accumulateWitnessVi.
 */
export function accumulateRewards(state: State, cycle: bigint, address: Address, voteCount: bigint): void {
  const before = witnessVi(state, cycle - 1n, address);
  const reward = cycleReward(state, cycle, address);
  if (reward === 0n || voteCount === 0n) {
    if (before !== 0n) setWitnessVi(state, cycle, address, before);
    return;
  }
  setWitnessVi(state, cycle, address, before + (reward * VI_DECIMALS) / voteCount);
}

/** Stores the votes and brokerage of a witness for a new cycle. */
export function openCycle(state: State, cycle: bigint, address: Address, voteCount: bigint): void {
  setBrokerage(state, address, brokerageOf(state, address), cycle);
  put(state, `${cycle}-${address}-vote`, fromInt64(voteCount));
}

/**
 * Returns the percentage of the reward that a witness keeps.
 * @param cycle number of the cycle; by default, the current percentage is returned
 */
export function brokerageOf(state: State, address: Address, cycle = CURRENT): bigint {
  const row = get(state, `${cycle}-${address}-brokerage`);
  return row === undefined ? DEFAULT_BROKERAGE : BigInt.asIntN(32, toInt64(row));
}

export function setBrokerage(state: State, address: Address, percent: bigint, cycle = CURRENT): void {
  put(state, `${cycle}-${address}-brokerage`, fromInt64(percent).subarray(4));
}

/** Returns the first cycle whose reward the account has not received yet. */
function beginCycle(state: State, address: Address): bigint {
  const row = state.delegation.get(address);
  return row === undefined ? 0n : toInt64(row);
}

function endCycle(state: State, address: Address): bigint {
  const row = get(state, `end-${address}`);
  return row === undefined ? NONE : toInt64(row);
}

function setBeginCycle(state: State, address: Address, cycle: bigint): void {
  state.delegation.put(address, fromInt64(cycle));
}

function setEndCycle(state: State, address: Address, cycle: bigint): void {
  put(state, `end-${address}`, fromInt64(cycle));
}

/** Returns the account as it was when its votes were recorded for a cycle; undefined if no votes were recorded. */
function accountVote(state: State, cycle: bigint, address: Address): Account | undefined {
  const row = get(state, `${cycle}-${address}-account-vote`);
  return row === undefined ? undefined : Account.decode(row);
}

function setAccountVote(state: State, cycle: bigint, address: Address, account: Account): void {
  put(state, `${cycle}-${address}-account-vote`, Writer.encode(account, Account));
}

/** Returns the reward for the voters of a witness in a cycle, in SUN. */
function cycleReward(state: State, cycle: bigint, address: string): bigint {
  const row = get(state, `${cycle}-${address}-reward`);
  return row === undefined ? 0n : toInt64(row);
}

function cycleVotes(state: State, cycle: bigint, address: string): bigint {
  const row = get(state, `${cycle}-${address}-vote`);
  return row === undefined ? NONE : toInt64(row);
}

/**
 * Returns the 127 witnesses with the most votes, without those that have no votes, in the order of the election.
 * Reference: WitnessStore.getWitnessStandby.
 */
function standbyWitnesses(state: State): Witness[] {
  const all = [...state.witnesses.range()].map(([, witness]) => witness).sort(witnessOrder(state.properties));
  return all.slice(0, STANDBY_WITNESSES).filter(({ voteCount }) => voteCount >= 1n);
}

/** Adds an amount to an account's allowance. Ignores an amount of 0 or less. */
function addAllowance(state: State, address: Address, amount: bigint): void {
  if (amount > 0n) payAllowance(state, address, amount);
}

function payAllowance(state: State, address: Address, amount: bigint): void {
  const account = state.accountToWrite(address);
  if (account === undefined) throw unchecked('NullPointerException');
  account.allowance = wrap64(account.allowance + amount);
  state.saveAccount(address, account);
}

function payStandby(state: State): void {
  const witnesses = standbyWitnesses(state);
  const sum = witnesses.reduce((total, { voteCount }) => total + voteCount, 0n);
  if (sum < 1n) return;
  const perVote = Number(state.properties.get('WITNESS_127_PAY_PER_BLOCK')) / Number(sum);
  for (const { address, voteCount } of witnesses) {
    payVoters(state, toAddress(address), toLong(Number(voteCount) * perVote));
  }
}

function payVoters(state: State, witness: Address, amount: bigint): void {
  const cycle = state.properties.get('CURRENT_CYCLE_NUMBER');
  const rate = Number(brokerageOf(state, witness, cycle)) / 100;
  const brokerage = toLong(rate * Number(amount));
  const key = `${cycle}-${witness}-reward`;
  put(state, key, fromInt64(cycleReward(state, cycle, witness) + amount - brokerage));
  addAllowance(state, witness, brokerage);
}

function takeFeePoolShare({ properties }: State): bigint {
  if (!properties.isOn('ALLOW_TRANSACTION_FEE_POOL')) return 0n;
  const share = properties.get('TRANSACTION_FEE_POOL') / FEE_POOL_PERIODS;
  properties.add('TRANSACTION_FEE_POOL', -share);
  return share;
}

/**
 * Number of blocks over which the fee pool is paid out: 1, so each block pays out the whole pool. Reference:
 * Constant.TRANSACTION_FEE_POOL_PERIOD.
 */
const FEE_POOL_PERIODS = 1n;

/**
 * Returns the reward in SUN of cycles that use the old reward algorithm, from `start` up to, but not including, `end`.
 * Reference: MortgageService.getOldReward.
 */
function oldRewards(state: State, start: bigint, end: bigint, votes: readonly Vote[]): bigint {
  if (state.properties.isOn('ALLOW_OLD_REWARD_OPT')) return optimizedOldRewards(state, start, end, votes);
  let reward = 0n;
  for (let cycle = start; cycle < end; cycle++) reward = wrap64(reward + oldReward(state, cycle, votes));
  return reward;
}

/**
 * Returns the reward in SUN for cycles before the new reward algorithm, computed with cumulative rewards per vote as in
 * the new algorithm. In force since proposal 79. Reference: RewardViCalService.getNewRewardAlgorithmReward.
 */
function optimizedOldRewards(state: State, start: bigint, end: bigint, votes: readonly Vote[]): bigint {
  let reward = 0n;
  const first = start > 1n ? start : 1n;
  if (first >= end) return reward;
  for (const { voteAddress, voteCount } of votes) {
    const perVote = oldRewardPerVote(state, toAddress(voteAddress), first, end);
    if (perVote > 0n) reward = wrap64(reward + wrap64((perVote * voteCount) / VI_DECIMALS));
  }
  return reward;
}

/**
 * Returns the reward per vote, in 10^-18 SUN, of the cycles from `first` (at least 1) up to, but not including, `end`.
 */
function oldRewardPerVote(state: State, witness: Address, first: bigint, end: bigint): bigint {
  const inCycle = (cycle: bigint): bigint => {
    const total = cycleVotes(state, cycle, witness);
    // As in java-tron, a missing row means -1 votes. Only a cycle with exactly 0 votes is skipped.
    return total === 0n ? 0n : (cycleReward(state, cycle, witness) * VI_DECIMALS) / total;
  };
  const newFrom = state.properties.get('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE');
  if (newFrom <= state.properties.get('CURRENT_CYCLE_NUMBER')) {
    const sums = state.oldRewards.of(witness, newFrom, inCycle);
    return itemAt(sums, Number(end - 1n)) - itemAt(sums, Number(first - 1n));
  }
  // The cached sums cover all cycles below `newFrom`. They cannot be computed yet, because the last of these cycles
  // has not ended.
  let sum = 0n;
  for (let cycle = first; cycle < end; cycle++) sum += inCycle(cycle);
  return sum;
}

/**
 * Returns the reward of one cycle in SUN by the old reward algorithm, which computes shares of votes as doubles.
 * Reference: MortgageService.computeReward(long, AccountCapsule).
 */
function oldReward(state: State, cycle: bigint, votes: readonly Vote[]): bigint {
  let reward = 0n;
  for (const { voteAddress, voteCount } of votes) {
    const witness = toHex(voteAddress);
    const total = cycleVotes(state, cycle, witness);
    if (total === NONE || total === 0n) continue;
    const share = Number(voteCount) / Number(total);
    // As in Java, `long += double` adds as doubles and casts the sum to a long.
    reward = toLong(Number(reward) + share * Number(cycleReward(state, cycle, witness)));
  }
  return reward;
}

function witnessVi(state: State, cycle: bigint, witness: string): bigint {
  const row = get(state, `${cycle}-${witness}-vi`);
  return row === undefined ? 0n : BigInt.asIntN(row.length * 8, toUnsigned(row));
}

/**
 * Stores a cumulative reward per vote (Vi) as two's complement with as few bytes as possible. Reference:
 * BigInteger.toByteArray.
 */
function setWitnessVi(state: State, cycle: bigint, witness: string, value: bigint): void {
  const length = Math.floor(value.toString(2).length / 8) + 1;
  put(state, `${cycle}-${witness}-vi`, Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex'));
}

function get(state: State, key: string): Uint8Array | undefined {
  const row = state.delegation.get(toHex(utf8(key)));
  return row === undefined || row.length === 0 ? undefined : row;
}

function put(state: State, key: string, value: Uint8Array): void {
  state.delegation.put(toHex(utf8(key)), value);
}
