import type { Vote } from '../../codec/generated/messages.js';
import type { Address } from '../../domain/address.js';
import { toHex, utf8 } from '../../domain/bytes.js';
import { wrap64 } from '../../domain/int64.js';
import {
  accountVote,
  beginCycle,
  endCycle,
  setAccountVote,
  setBeginCycle,
  setEndCycle,
  VI_DECIMALS,
} from '../rewards/rewards.js';
import type { State } from '../state/state.js';
import type { VmAccounts } from './accounts.js';

/** Moves what a contract earned by voting into its allowance. Reference: VoteRewardUtil.withdrawReward. */
export function collectReward(accounts: VmAccounts, address: Address): void {
  const { state } = accounts;
  if (!state.properties.isOn('ALLOW_TVM_VOTE')) return;
  const account = accounts.get(address);
  const current = state.properties.get('CURRENT_CYCLE_NUMBER');
  let begin = beginCycle(state, address);
  if (begin > current || account === undefined) return;
  if (begin === current && accountVote(state, begin, address) !== undefined) return;
  // The votes are kept with the account as it was found: without what is added to its allowance below.
  const found = account.clone();
  if (begin + 1n === endCycle(state, address) && begin < current) {
    const before = accountVote(state, begin, address);
    if (before !== undefined) allow(accounts, address, rewardOf(state, begin, begin + 1n, before.votes));
    begin += 1n;
  }
  if (found.votes.length === 0) {
    setBeginCycle(state, address, current + 1n);
    return;
  }
  if (begin < current) allow(accounts, address, rewardOf(state, begin, current, found.votes));
  setBeginCycle(state, address, current);
  setEndCycle(state, address, current + 1n);
  setAccountVote(state, current, address, found);
}

/** What `collectReward` would make of the allowance, SUN. Reference: VoteRewardUtil.queryReward. */
export function pendingReward(accounts: VmAccounts, address: Address): bigint {
  const { state } = accounts;
  const account = accounts.get(address);
  if (account === undefined) return 0n;
  const current = state.properties.get('CURRENT_CYCLE_NUMBER');
  let begin = beginCycle(state, address);
  if (begin > current) return account.allowance;
  let reward = 0n;
  if (begin + 1n === endCycle(state, address) && begin < current) {
    const before = accountVote(state, begin, address);
    if (before !== undefined) reward = rewardOf(state, begin, begin + 1n, before.votes);
    begin += 1n;
  }
  if (account.votes.length > 0 && begin < current) reward += rewardOf(state, begin, current, account.votes);
  return wrap64(reward + account.allowance);
}

/** Contracts can vote only since rewards are kept per vote: there is no older rule here. Reference: computeReward. */
function rewardOf(state: State, begin: bigint, end: bigint, votes: readonly Vote[]): bigint {
  if (begin >= end) return 0n;
  let reward = 0n;
  for (const { voteAddress, voteCount } of votes) {
    const witness = toHex(voteAddress);
    const delta = rewardPerVote(state, end - 1n, witness) - rewardPerVote(state, begin - 1n, witness);
    if (delta > 0n) reward = wrap64(reward + wrap64((delta * voteCount) / VI_DECIMALS));
  }
  return reward;
}

function rewardPerVote(state: State, cycle: bigint, witness: string): bigint {
  const row = state.delegation.get(toHex(utf8(`${cycle}-${witness}-vi`)));
  if (row === undefined || row.length === 0) return 0n;
  return BigInt.asIntN(row.length * 8, BigInt(`0x${toHex(row)}`));
}

function allow(accounts: VmAccounts, address: Address, amount: bigint): void {
  if (amount <= 0n) return;
  const account = accounts.write(address)!;
  account.allowance = wrap64(account.allowance + amount);
}
