import type { Vote } from '../../codec/generated/messages.js';
import type { Address } from '../../primitives/address.js';
import { wrap64 } from '../../primitives/int64.js';
import type { VmAccounts } from '../balances/accounts.js';
import { newRewardOf, openAllowance, settleReward } from '../rewards/rewards.js';
import type { State } from '../state/state.js';

/**
 * Moves a contract's voting reward to its allowance. Does nothing before contracts can vote (`ALLOW_TVM_VOTE`).
 * Reference: VoteRewardUtil.withdrawReward.
 */
export function collectReward(accounts: VmAccounts, address: Address): void {
  const { state } = accounts;
  if (!state.properties.isOn('ALLOW_TVM_VOTE')) return;
  const pay = (amount: bigint) => allow(accounts, address, amount);
  settleReward(state, address, accounts.get(address), { rewardOf, pay });
}

/**
 * Returns the allowance in SUN that the account would have after `collectReward`. Reference:
 * VoteRewardUtil.queryReward.
 */
export function pendingReward(accounts: VmAccounts, address: Address): bigint {
  const account = accounts.get(address);
  return account === undefined ? 0n : openAllowance(accounts.state, address, account, rewardOf);
}

/**
 * Returns the reward of votes in SUN. Uses only the new reward algorithm, because contracts could not vote under the
 * old algorithm. Reference: computeReward.
 */
function rewardOf(state: State, start: bigint, end: bigint, votes: readonly Vote[]): bigint {
  return newRewardOf(state, start, end, votes);
}

function allow(accounts: VmAccounts, address: Address, amount: bigint): void {
  if (amount <= 0n) return;
  const account = accounts.writeExisting(address);
  account.allowance = wrap64(account.allowance + amount);
}
