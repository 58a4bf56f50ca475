import t from 'tap';
import { Vote } from '../../../../src/codec/generated/messages.js';
import { fromInt64, toHex, utf8 } from '../../../../src/primitives/bytes.js';
import { VmAccounts } from '../../../../src/state-transition/balances/accounts.js';
import { accumulateRewards, settleReward } from '../../../../src/state-transition/rewards/rewards.js';
import { collectReward, pendingReward } from '../../../../src/state-transition/staking/vote-reward.js';
import { addAccount, addressOf, bytesOf, stateWith } from '../../../support/vm/state-with.js';

const [OWNER, WITNESS] = [addressOf(1), addressOf(5)];

/**
 * Returns a state in which the owner has two of ten votes since cycle 1. The voters of the witness receive 1,000 SUN
 * per cycle.
 */
function world(isVoteOn: bigint) {
  const state = stateWith({ ALLOW_TVM_VOTE: isVoteOn, CURRENT_CYCLE_NUMBER: 1n });
  const vote = Object.assign(new Vote(), { voteAddress: bytesOf(5), voteCount: 2n });
  addAccount(state, 1).votes.push(vote);
  settleReward(state, OWNER, state.account(OWNER), { rewardOf: () => 0n, pay: () => undefined });
  state.delegation.put(toHex(utf8(`1-${WITNESS}-reward`)), fromInt64(1000n));
  accumulateRewards(state, 1n, WITNESS, 10n);
  state.properties.set('CURRENT_CYCLE_NUMBER', 2n);
  return { state, accounts: new VmAccounts(state) };
}

t.test('adds the voting reward of a contract to its allowance once', async (t) => {
  const { state, accounts } = world(1n);
  t.equal(pendingReward(accounts, OWNER), 200n);
  collectReward(accounts, OWNER);
  t.equal(state.account(OWNER)?.allowance, 200n);
  collectReward(accounts, OWNER);
  t.equal(state.account(OWNER)?.allowance, 200n);
  t.equal(pendingReward(accounts, addressOf(9)), 0n);
});

t.test('adds no reward before contracts may vote', async (t) => {
  const { state, accounts } = world(0n);
  collectReward(accounts, OWNER);
  t.equal(state.account(OWNER)?.allowance, 0n);
});
