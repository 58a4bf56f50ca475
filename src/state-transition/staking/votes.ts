import { type Account, Vote, Votes } from '../../codec/generated/messages.js';
import { toLong } from '../../java-compat/double.js';
import { type Address, addressBytes } from '../../primitives/address.js';
import { wrap64 } from '../../primitives/int64.js';
import { SUN_PER_TRX } from '../../primitives/units.js';
import { allTronPower, ResourceCode, tronPower } from '../resources/stake.js';
import type { State } from '../state/state.js';

/**
 * Returns an account's row of vote changes since the last maintenance, for writing. If the row is missing, creates it
 * with the current votes as old votes.
 */
export function votesToWrite(state: State, owner: Address, account: Account): Votes {
  const row = state.votes.toWrite(owner);
  if (row !== undefined) return row;
  const oldVotes = account.votes.map((vote) => vote.clone());
  const votes = Object.assign(new Votes(), { address: addressBytes(owner), oldVotes });
  state.votes.put(owner, votes);
  return votes;
}

/** Removes all votes of an account. Its row of vote changes keeps the old votes until the next maintenance. */
export function clearVotes(state: State, owner: Address, account: Account): void {
  votesToWrite(state, owner, account).newVotes = [];
  account.votes = [];
}

/**
 * Adapts the votes to the voting power after an unfreezing. If the voting power does not suffice for the votes,
 * reduces all votes in proportion, in doubles. Under the new resource model, there are two exceptions. If
 * `oldTronPower` is not −1, removes all votes. If it is −1, an unfreezing of bandwidth or energy changes no votes.
 * Reference: UnfreezeBalanceV2Actuator.updateVote, UnfreezeBalanceV2Processor.updateVote.
 */
export function reduceVotes(state: State, owner: Address, account: Account, resource: number): void {
  if (account.votes.length === 0) return;
  const hasTronPower = state.properties.isOn('ALLOW_NEW_RESOURCE_MODEL');
  if (hasTronPower && account.oldTronPower !== -1n) {
    clearVotes(state, owner, account);
    return;
  }
  if (hasTronPower && (resource === ResourceCode.BANDWIDTH || resource === ResourceCode.ENERGY)) return;
  const total = account.votes.reduce((sum, { voteCount }) => sum + voteCount, 0n);
  const power = hasTronPower ? allTronPower(account) : tronPower(account);
  if (total === 0n || power >= wrap64(total * SUN_PER_TRX)) return;
  const votes = votesToWrite(state, owner, account);
  votes.newVotes = account.votes.flatMap(({ voteAddress, voteCount: before }) => {
    const share = (Number(before) / Number(total)) * Number(power);
    const voteCount = toLong(share / Number(SUN_PER_TRX));
    return voteCount > 0n ? [Object.assign(new Vote(), { voteAddress, voteCount })] : [];
  });
  account.votes = votes.newVotes.map((vote) => vote.clone());
}

/** Returns the voting power of an account in SUN, as programs see it. */
export function votingPower({ properties }: State, account: Account): bigint {
  const isNew = properties.supportsUnfreezeDelay() && properties.isOn('ALLOW_NEW_RESOURCE_MODEL');
  return isNew ? allTronPower(account) : tronPower(account);
}
