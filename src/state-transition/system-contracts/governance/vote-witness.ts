import { Vote, type VoteWitnessContract } from '../../../codec/generated/messages.js';
import { isAddress, toAddress } from '../../../primitives/address.js';
import { toHex } from '../../../primitives/bytes.js';
import { INT64_MAX } from '../../../primitives/int64.js';
import { SUN_PER_TRX } from '../../../primitives/units.js';
import { refuse } from '../../errors.js';
import { allTronPower, initializeOldTronPower, tronPower } from '../../resources/stake.js';
import { withdrawReward } from '../../rewards/rewards.js';
import { VOTES_MAX } from '../../staking/vote-witness.js';
import { votesToWrite } from '../../staking/votes.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';

/** Replaces all votes of the owner. Reference: VoteWitnessActuator. */
export const voteWitness: ContractHandler<VoteWitnessContract> = {
  fee: () => 0n,
  validate,
  execute,
};

function validate({ ownerAddress, votes }: VoteWitnessContract, state: State): void {
  const { addressPrefix } = state.rules;
  if (!isAddress(ownerAddress, addressPrefix)) refuse('Invalid address');
  if (votes.length === 0) refuse('VoteNumber must more than 0');
  if (votes.length > VOTES_MAX) refuse(`VoteNumber more than maxVoteNumber ${VOTES_MAX}`);
  const { texts } = state.rules.release;
  let sum = 0n;
  for (const { voteAddress, voteCount } of votes) {
    const candidate = toAddress(voteAddress);
    if (!isAddress(voteAddress, addressPrefix)) refuse('Invalid vote address!');
    if (voteCount <= 0n) refuse('vote count must be greater than 0');
    if (!state.accounts.has(candidate)) refuse(`Account[${candidate}] not exists`);
    if (!state.witnesses.has(candidate)) refuse(`Witness[${candidate}] not exists`);
    if (sum + voteCount > INT64_MAX) refuse(texts.overflow('checkedAdd', sum, voteCount));
    sum += voteCount;
  }
  const account = state.account(toAddress(ownerAddress)) ?? refuse(`Account[${toHex(ownerAddress)}] not exists`);
  const power = state.properties.isOn('ALLOW_NEW_RESOURCE_MODEL') ? allTronPower(account) : tronPower(account);
  if (sum * SUN_PER_TRX > INT64_MAX) refuse(texts.overflow('checkedMultiply', sum, SUN_PER_TRX));
  const needed = sum * SUN_PER_TRX;
  if (needed > power) refuse(`The total number of votes[${needed}] is greater than the tronPower[${power}]`);
}

function execute({ ownerAddress, votes }: VoteWitnessContract, state: State): void {
  const owner = toAddress(ownerAddress);
  withdrawReward(state, owner);
  const account = state.existingAccountToWrite(owner);
  if (state.properties.isOn('ALLOW_NEW_RESOURCE_MODEL') && account.oldTronPower === 0n) initializeOldTronPower(account);
  const row = votesToWrite(state, owner, account);
  const cast = (): Vote[] =>
    votes.map(({ voteAddress, voteCount }) => Object.assign(new Vote(), { voteAddress, voteCount }));
  row.newVotes = cast();
  account.votes = cast();
  state.saveAccount(owner, account);
}
