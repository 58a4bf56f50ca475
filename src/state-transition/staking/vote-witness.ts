import { Vote } from '../../codec/generated/messages.js';
import { JavaHashMap, javaHashOfByteString } from '../../java-compat/hash-map.js';
import type { Address } from '../../primitives/address.js';
import { fromHex, toHex } from '../../primitives/bytes.js';
import { SUN_PER_TRX } from '../../primitives/units.js';
import type { VmAccounts } from '../balances/accounts.js';
import { ContractExeError, refuse } from '../errors.js';
import { collectReward } from './vote-reward.js';
import { votesToWrite, votingPower } from './votes.js';

/** Maximum number of witnesses in one vote. Reference: ChainConstant.MAX_VOTE_NUMBER. */
export const VOTES_MAX = 30;

/**
 * Replaces the votes of a contract. Reference: VoteWitnessProcessor.
 * @throws {ContractValidateError} the number of votes exceeds `VOTES_MAX`
 * @throws {ContractExeError} a vote is invalid, or the voting power does not suffice
 */
export function castVotes(accounts: VmAccounts, owner: Address, newVotes: readonly Vote[]): void {
  const { state } = accounts;
  if (newVotes.length > VOTES_MAX) refuse(`VoteNumber more than maxVoteNumber ${VOTES_MAX}`);
  collectReward(accounts, owner);
  const account = accounts.writeExisting(owner);
  const votes = votesToWrite(state, owner, account);
  account.votes = [];
  votes.newVotes = [];
  const counts = new JavaHashMap<string, bigint>(javaHashOfByteString);
  let sum = 0n;
  for (const { voteAddress, voteCount } of newVotes) {
    const witness = toHex(voteAddress);
    if (!state.witnesses.has(witness)) throw new ContractExeError(`Witness[${witness}] not exists`);
    if (voteCount < 0n) throw new ContractExeError('Vote count must not be less than 0');
    if (voteCount === 0n) continue;
    sum = checked(sum + voteCount);
    counts.set(witness, checked((counts.get(witness) ?? 0n) + voteCount));
  }
  const power = votingPower(state, account);
  sum = checked(sum * SUN_PER_TRX);
  if (sum > power) {
    throw new ContractExeError(`The total number of votes[${sum}] is greater than the tronPower[${power}]`);
  }
  for (const [witness, voteCount] of counts.entries()) {
    const voteAddress = fromHex(witness);
    account.votes.push(Object.assign(new Vote(), { voteAddress, voteCount }));
    votes.newVotes.push(Object.assign(new Vote(), { voteAddress, voteCount }));
  }
}

/**
 * Adds a contract's allowance to its balance. Reference: WithdrawRewardProcessor.
 * @returns the added amount in SUN; 0 if there is no allowance
 * @throws {ContractValidateError} the account is a genesis witness
 * @throws {ContractExeError} the new balance would exceed 64 bits
 */
export function withdrawAllowance(accounts: VmAccounts, owner: Address, nowMs: bigint): bigint {
  const { state } = accounts;
  if (state.rules.genesisWitnesses.some(({ address }) => address === owner)) {
    refuse(`Account[${owner}] is a guard representative and is not allowed to withdraw Balance`);
  }
  collectReward(accounts, owner);
  const { balance, allowance } = accounts.existing(owner);
  checked(balance + allowance);
  if (allowance <= 0n) return 0n;
  const account = accounts.writeExisting(owner);
  account.balance = balance + allowance;
  account.allowance = 0n;
  account.latestWithdrawTime = nowMs;
  return allowance;
}

function checked(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new ContractExeError('overflow');
  return value;
}
