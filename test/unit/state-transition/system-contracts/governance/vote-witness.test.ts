import t from 'tap';
import { AccountFreezeV2, AccountFrozen, Vote } from '../../../../../src/codec/generated/messages.js';
import { voteWitness } from '../../../../../src/state-transition/system-contracts/governance/vote-witness.js';
import { committee, OTHER_WITNESS, VOTER, WITNESS } from '../../../../support/vm/committee.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, bytesOf, run } from '../../../../support/vm/state-with.js';

const vote = (fill: number, voteCount: bigint) => Object.assign(new Vote(), { voteAddress: bytesOf(fill), voteCount });

/** Returns a state in which the voter has 10 TRX of stake. */
function fresh() {
  const state = committee();
  const stake = Object.assign(new AccountFrozen(), { frozenBalance: 10_000_000n });
  addAccount(state, VOTER).frozen.push(stake);
  return state;
}

const accepted = { ownerAddress: bytesOf(VOTER), votes: [vote(WITNESS, 4n), vote(OTHER_WITNESS, 6n)] };

t.test('rejects votes with the text of the first broken rule', async (t) => {
  const other = addressOf(VOTER);
  refusalsOf(t, voteWitness, {
    fresh,
    accepted,
    rows: [
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: 'VoteNumber must more than 0', fields: { votes: [] } },
      { text: 'VoteNumber more than maxVoteNumber 30', fields: { votes: new Array(31).fill(vote(WITNESS, 1n)) } },
      {
        text: 'Invalid vote address!',
        fields: { votes: [Object.assign(vote(WITNESS, 1n), { voteAddress: new Uint8Array(20) })] },
      },
      { text: 'vote count must be greater than 0', fields: { votes: [vote(WITNESS, 0n)] } },
      { text: `Account[${addressOf(9)}] not exists`, fields: { votes: [vote(9, 1n)] } },
      { text: `Witness[${other}] not exists`, fields: { votes: [vote(VOTER, 1n)] } },
      { text: `Account[${addressOf(9)}] not exists`, fields: { ownerAddress: bytesOf(9) } },
      {
        text: 'The total number of votes[11000000] is greater than the tronPower[10000000]',
        fields: { votes: [vote(WITNESS, 11n)] },
      },
      {
        text: 'overflow: checkedAdd(9223372036854775807, 1)',
        fields: { votes: [vote(WITNESS, 2n ** 63n - 1n), vote(WITNESS, 1n)] },
      },
      {
        text: 'overflow: checkedMultiply(9223372036854775807, 1000000)',
        fields: { votes: [vote(WITNESS, 2n ** 63n - 1n)] },
      },
    ],
  });
});

t.test('replaces earlier votes and stores those of the last maintenance', async (t) => {
  const state = fresh();
  run(voteWitness, state, accepted);
  run(voteWitness, state, { ...accepted, votes: [vote(WITNESS, 1n)] });
  const counts = (votes: readonly Vote[] | undefined) => votes?.map(({ voteCount }) => voteCount);
  const row = state.votes.get(addressOf(VOTER));
  t.same([counts(row?.oldVotes), counts(row?.newVotes)], [[], [1n]]);
  t.same(counts(state.account(addressOf(VOTER))?.votes), [1n]);
});

t.test('adds tron power stake to the fixed old stake under the new resource model', async (t) => {
  const state = fresh();
  state.properties.set('ALLOW_NEW_RESOURCE_MODEL', 1n);
  const account = state.account(addressOf(VOTER));
  account?.frozenV2.push(Object.assign(new AccountFreezeV2(), { type: 2, amount: 1_000_000n }));
  run(voteWitness, state, { ...accepted, votes: [vote(WITNESS, 11n)] });
  t.equal(state.account(addressOf(VOTER))?.oldTronPower, 10_000_000n);
});
