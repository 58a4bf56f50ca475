import type { Votes } from '../../codec/generated/messages.js';
import { toLong } from '../../java-compat/double.js';
import { type Address, toAddress } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import { toHex } from '../../primitives/bytes.js';
import { INT64_MAX, wrap64 } from '../../primitives/int64.js';
import { activeWitnesses, electWitnesses } from '../consensus/schedule.js';
import { unchecked } from '../errors.js';
import { accumulateRewards, openCycle, STANDBY_WITNESSES } from '../rewards/rewards.js';
import type { State } from '../state/state.js';

/**
 * Runs maintenance if the block's time has reached the maintenance time: counts votes and sets the next maintenance
 * time. Block 1 only sets the time. Reference: MaintenanceManager.applyBlock.
 */
export function maintain(state: State, block: { number: number; timeMs: number }): void {
  const { properties } = state;
  const isDue = properties.get('NEXT_MAINTENANCE_TIME') <= BigInt(block.timeMs);
  if (isDue) {
    if (block.number !== 1) doMaintenance(state);
    const interval = properties.get('MAINTENANCE_TIME_INTERVAL');
    const last = properties.get('NEXT_MAINTENANCE_TIME');
    properties.set('NEXT_MAINTENANCE_TIME', last + ((BigInt(block.timeMs) - last) / interval + 1n) * interval);
  }
  properties.set('state_flag', isDue ? 1n : 0n);
}

/**
 * Raises the solidified block number to the newest block on which at least 70 % of the active witnesses have built.
 * Reference: updateSolidBlock.
 */
export function solidify(state: State): void {
  const latest = activeWitnesses(state)
    .map((address) => state.witnesses.existing(address).latestBlockNum)
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const solidified = itemAt(latest, Math.trunc(latest.length * (1 - (SOLIDIFIED_PERCENT * 1.0) / 100)));
  if (solidified < state.properties.get('LATEST_SOLIDIFIED_BLOCK_NUM')) return;
  state.properties.set('LATEST_SOLIDIFIED_BLOCK_NUM', solidified);
}

/**
 * Percentage of witnesses that must have built on a block to solidify it.
 * Reference: ChainConstant.SOLIDIFIED_THRESHOLD.
 */
const SOLIDIFIED_PERCENT = 70;

function doMaintenance(state: State): void {
  const { properties } = state;
  removeGenesisVotes(state);
  const witnesses = [...state.witnesses.range()].map(([key]) => key as Address);
  if (properties.get('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE') !== INT64_MAX) {
    const cycle = properties.get('CURRENT_CYCLE_NUMBER');
    for (const address of witnesses)
      accumulateRewards(state, cycle, address, state.witnesses.existing(address).voteCount);
  }
  const changes = takeVotes(state);
  if (changes.size > 0) {
    for (const [address, change] of changes) addVotes(state, address, change);
    const before = activeWitnesses(state);
    const order = electWitnesses(state, witnesses);
    payStandbyAllowance(state, order);
    moveJobs(state, before, activeWitnesses(state));
  }
  if (!properties.isOn('CHANGE_DELEGATION')) return;
  const next = properties.get('CURRENT_CYCLE_NUMBER') + 1n;
  properties.set('CURRENT_CYCLE_NUMBER', next);
  for (const address of witnesses) openCycle(state, next, address, state.witnesses.existing(address).voteCount);
}

/**
 * Removes the votes that witnesses got in the genesis block. Runs once: when the property `REMOVE_THE_POWER_OF_THE_GR`
 * is 1 after the approval of a proposal. Reference: tryRemoveThePowerOfTheGr.
 */
function removeGenesisVotes(state: State): void {
  if (state.properties.get('REMOVE_THE_POWER_OF_THE_GR') !== 1n) return;
  for (const { address, voteCount } of state.rules.genesisWitnesses) {
    const witness = state.witnesses.toWrite(address);
    if (witness === undefined) throw unchecked('NullPointerException');
    witness.voteCount -= voteCount;
  }
  state.properties.set('REMOVE_THE_POWER_OF_THE_GR', -1n);
}

/** Returns the change of votes per candidate since the last maintenance, and deletes the rows of votes. */
function takeVotes(state: State): Map<Address, bigint> {
  const changes = new Map<Address, bigint>();
  state.votes.removeAll((votes) => addChange(changes, votes));
  return changes;
}

/** Returns the change of votes per candidate since the last maintenance. Reference: MaintenanceManager.countVote. */
export function voteChanges(state: State): Map<Address, bigint> {
  const changes = new Map<Address, bigint>();
  for (const [, votes] of state.votes.range()) addChange(changes, votes);
  return changes;
}

function addChange(changes: Map<Address, bigint>, { oldVotes, newVotes }: Votes): void {
  for (const { voteAddress, voteCount } of oldVotes) addCount(changes, voteAddress, -voteCount);
  for (const { voteAddress, voteCount } of newVotes) addCount(changes, voteAddress, voteCount);
}

function addCount(changes: Map<Address, bigint>, bytes: Uint8Array, count: bigint): void {
  const address = toHex(bytes) as Address;
  changes.set(address, (changes.get(address) ?? 0n) + count);
}

function addVotes(state: State, address: Address, change: bigint): void {
  if (!state.accounts.has(address)) return;
  const witness = state.witnesses.toWrite(address);
  if (witness !== undefined) witness.voteCount = BigInt.asIntN(64, witness.voteCount + change);
}

/**
 * Divides a fixed amount of SUN among the 127 candidates with the most votes, in proportion to their votes. Does
 * nothing after `CHANGE_DELEGATION`, because rewards are then counted per cycle. Reference: IncentiveManager.reward.
 */
function payStandbyAllowance(state: State, order: readonly Address[]): void {
  if (state.properties.isOn('CHANGE_DELEGATION')) return;
  const paid = order.slice(0, STANDBY_WITNESSES).map((address) => state.witnesses.existing(address));
  const sum = paid.reduce((total, { voteCount }) => total + voteCount, 0n);
  if (sum <= 0n) return;
  const perVote = Number(state.properties.get('WITNESS_STANDBY_ALLOWANCE')) / Number(sum);
  for (const { address: bytes, voteCount } of paid) {
    const address = toAddress(bytes);
    const account = state.accountToWrite(address);
    if (account === undefined) throw unchecked('NullPointerException');
    account.allowance = wrap64(account.allowance + toLong(Number(voteCount) * perVote));
    state.saveAccount(address, account);
  }
}

function moveJobs(state: State, before: readonly Address[], after: readonly Address[]): void {
  if (before.length === after.length && [...before].sort().join() === [...after].sort().join()) return;
  for (const address of before) state.witnesses.existingToWrite(address).isJobs = false;
  for (const address of after) state.witnesses.existingToWrite(address).isJobs = true;
}
