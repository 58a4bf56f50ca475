import t from 'tap';
import { type Account, AccountFreezeV2, Vote } from '../../../../src/codec/generated/messages.js';
import { SUN_PER_TRX } from '../../../../src/primitives/units.js';
import { ResourceCode } from '../../../../src/state-transition/resources/stake.js';
import { clearVotes, reduceVotes, votesToWrite } from '../../../../src/state-transition/staking/votes.js';
import { addAccount, addressOf, bytesOf, stateWith } from '../../../support/vm/state-with.js';

const OWNER = addressOf(0x11);
const vote = (fill: number, count: bigint) =>
  Object.assign(new Vote(), { voteAddress: bytesOf(fill), voteCount: count });
const counts = (votes: readonly Vote[]) => votes.map(({ voteCount }) => voteCount);

/** Returns a state with an account that has votes and stake 2.0 for energy. @param trx stake in TRX */
function voter(trx: bigint, votes: readonly bigint[], properties = {}) {
  const state = stateWith(properties);
  const account: Account = addAccount(state, 0x11);
  const stake = { type: ResourceCode.ENERGY, amount: trx * SUN_PER_TRX };
  account.frozenV2.push(Object.assign(new AccountFreezeV2(), stake));
  account.votes = votes.map((count, i) => vote(0x20 + i, count));
  return { state, account };
}

t.test('reduces votes to the remaining stake, rounded down, and removes those of 0', async (t) => {
  const { state, account } = voter(10n, [20n, 9n, 1n]);
  reduceVotes(state, OWNER, account, ResourceCode.ENERGY);
  t.same(counts(account.votes), [6n, 3n]);
  const row = state.votes.get(OWNER);
  t.same(counts(row?.oldVotes ?? []), [20n, 9n, 1n], 'the votes of the last period are unchanged');
  t.same(counts(row?.newVotes ?? []), [6n, 3n]);
});

t.test('keeps votes covered by stake', async (t) => {
  const { state, account } = voter(30n, [20n, 10n]);
  reduceVotes(state, OWNER, account, ResourceCode.ENERGY);
  t.same(counts(account.votes), [20n, 10n]);
  t.notOk(state.votes.has(OWNER));
});

t.test('removes votes of old power and keeps those of tron power under the new resource model', async (t) => {
  const model = { ALLOW_NEW_RESOURCE_MODEL: 1n };
  const older = voter(10n, [20n], model);
  older.account.oldTronPower = 5n;
  reduceVotes(older.state, OWNER, older.account, ResourceCode.ENERGY);
  t.same(older.account.votes, []);
  const newer = voter(10n, [20n], model);
  newer.account.oldTronPower = -1n;
  reduceVotes(newer.state, OWNER, newer.account, ResourceCode.ENERGY);
  t.same(counts(newer.account.votes), [20n], 'stake for energy yields no votes under the new model');
});

t.test('stores the votes at the start of a period when they are first changed', async (t) => {
  const { state, account } = voter(10n, [7n]);
  votesToWrite(state, OWNER, account);
  account.votes = [vote(0x30, 3n)];
  clearVotes(state, OWNER, account);
  t.same(counts(state.votes.get(OWNER)?.oldVotes ?? []), [7n]);
  t.same(state.votes.get(OWNER)?.newVotes, []);
});
