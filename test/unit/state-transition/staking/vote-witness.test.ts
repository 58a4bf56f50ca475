import t from 'tap';
import { AccountFrozen, Vote, Witness } from '../../../../src/codec/generated/messages.js';
import { VmAccounts } from '../../../../src/state-transition/balances/accounts.js';
import { castVotes, withdrawAllowance } from '../../../../src/state-transition/staking/vote-witness.js';
import { addAccount, addressOf, bytesOf, stateWith } from '../../../support/vm/state-with.js';

const OWNER = addressOf(1);
const vote = (fill: number, voteCount: bigint) => Object.assign(new Vote(), { voteAddress: bytesOf(fill), voteCount });

/** Returns a state with two witnesses. The owner has stake for ten votes. */
function world() {
  const state = stateWith({ ALLOW_TVM_VOTE: 1n });
  for (const fill of [5, 6]) state.witnesses.put(addressOf(fill), new Witness());
  const stake = Object.assign(new AccountFrozen(), { frozenBalance: 10_000_000n });
  addAccount(state, 1, 3n).frozen.push(stake);
  return { state, accounts: new VmAccounts(state) };
}

const rows: readonly (readonly [exception: string, text: string, votes: readonly Vote[]])[] = [
  ['ContractValidateException', 'VoteNumber more than maxVoteNumber 30', new Array(31).fill(vote(5, 1n))],
  ['ContractExeException', `Witness[${addressOf(7)}] not exists`, [vote(7, 1n)]],
  ['ContractExeException', 'Vote count must not be less than 0', [vote(5, -1n)]],
  [
    'ContractExeException',
    'The total number of votes[11000000] is greater than the tronPower[10000000]',
    [vote(5, 5n), vote(6, 6n)],
  ],
  ['ContractExeException', 'overflow', [vote(5, 2n ** 62n), vote(5, 2n ** 62n)]],
];

t.test("rejects votes of a contract with java-tron's exception class and text", async (t) => {
  for (const [exception, text, votes] of rows) {
    t.throws(() => castVotes(world().accounts, OWNER, votes), { code: exception, message: text }, text);
  }
});

t.test('merges votes for one witness and ignores votes of 0', async (t) => {
  const { accounts, state } = world();
  castVotes(accounts, OWNER, [vote(5, 2n), vote(6, 0n), vote(5, 3n)]);
  const counts = (votes: readonly Vote[] | undefined) => votes?.map(({ voteCount }) => voteCount);
  t.same([counts(state.account(OWNER)?.votes), counts(state.votes.get(OWNER)?.newVotes)], [[5n], [5n]]);
  castVotes(accounts, OWNER, []);
  t.same(state.account(OWNER)?.votes, []);
});

t.test('moves the allowance to the balance, and changes nothing for 0', async (t) => {
  const { accounts, state } = world();
  t.equal(withdrawAllowance(accounts, OWNER, 9n), 0n);
  t.equal(state.account(OWNER)?.latestWithdrawTime, 0n);
  const account = state.account(OWNER);
  if (account !== undefined) account.allowance = 4n;
  t.equal(withdrawAllowance(accounts, OWNER, 9n), 4n);
  t.same([state.account(OWNER)?.balance, state.account(OWNER)?.latestWithdrawTime], [7n, 9n]);
});
