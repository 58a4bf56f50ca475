import t from 'tap';
import type { ChainView } from '../../../../src/api/context/api-context.js';
import { chainParameters, witnessPage } from '../../../../src/api/operations/governance.js';
import { Vote, Votes, Witness } from '../../../../src/codec/generated/messages.js';
import { release472 } from '../../../../src/state-transition/releases/release-4.7.2.js';
import { release482 } from '../../../../src/state-transition/releases/release-4.8.2.js';
import type { State } from '../../../../src/state-transition/state/state.js';
import { addressOf, bytesOf, stateWith } from '../../../support/vm/state-with.js';

const viewOf = (state: State): ChainView => ({ state }) as unknown as ChainView;

/**
 * Returns a state with candidates 1 to 4, which have 10, 30, 20 and 20 votes. Since the last maintenance, a voter has
 * moved 25 votes from candidate 2 to candidate 1.
 */
function state(properties: Parameters<typeof stateWith>[0] = {}): State {
  const made = stateWith(properties, release482);
  for (const [at, voteCount] of [10n, 30n, 20n, 20n].entries()) {
    made.witnesses.put(addressOf(at + 1), Object.assign(new Witness(), { address: bytesOf(at + 1), voteCount }));
  }
  const vote = (to: number, voteCount: bigint): Vote =>
    Object.assign(new Vote(), { voteAddress: bytesOf(to), voteCount });
  made.votes.put(
    addressOf(9),
    Object.assign(new Votes(), { address: bytesOf(9), oldVotes: [vote(2, 25n)], newVotes: [vote(1, 25n)] }),
  );
  return made;
}

const pageOf = (made: State, offset: bigint, limit: bigint, isHead = true) =>
  witnessPage(viewOf(made), { offset, limit }, isHead)?.witnesses.map(({ address, voteCount }) => [
    address[1],
    Number(voteCount),
  ]);

t.test('returns pages of candidates with the votes of the current period', async (t) => {
  const all = pageOf(state(), 0n, 9n)!;
  t.same(all[0], [1, 35]);
  t.same(all.map(([at]) => at).sort(), [1, 2, 3, 4]);
  t.same(
    all.map(([, votes]) => votes),
    [35, 20, 20, 5],
  );
  t.same(pageOf(state(), 1n, 2n), all.slice(1, 3));
  for (const [offset, limit] of [
    [0n, 0n],
    [0n, -1n],
    [-1n, 1n],
    [4n, 1n],
  ] as const)
    t.equal(pageOf(state(), offset, limit), undefined, `${offset} ${limit}`);
  t.equal(state().witnesses.get(addressOf(1))!.voteCount, 10n, 'the stored votes are unchanged');
});

t.test('returns no candidate list at a maintenance block', async (t) => {
  const inMaintenance = state({ state_flag: 1n });
  t.throws(() => pageOf(inMaintenance, 0n, 1n), {
    code: 'org.tron.core.exception.MaintenanceUnavailableException',
    message: 'Service temporarily unavailable during maintenance period. Please try again later.',
  });
  t.equal(pageOf(inMaintenance, 0n, 1n, false)?.length, 1, 'the solidified state has a list');
});

t.test('lists parameters added after 4.7.2 after the others', async (t) => {
  const shown = (release: typeof release472): [string, bigint][] =>
    chainParameters(viewOf(stateWith({}, release))).chainParameter.map(({ key, value }) => [key, value]);
  const [old, now] = [shown(release472), shown(release482)];
  t.same(now.slice(0, old.length), old);
  t.same(now.slice(old.length), [
    ['getAllowOldRewardOpt', 0n],
    ['getAllowEnergyAdjustment', 0n],
    ['getMaxCreateAccountTxSize', 1000n],
    ['getAllowStrictMath', 0n],
    ['getConsensusLogicOptimization', 0n],
    ['getAllowTvmCancun', 0n],
    ['getAllowTvmBlob', 0n],
    ['getAllowTvmSelfdestructRestriction', 0n],
    ['getProposalExpireTime', 259_200_000n],
    ['getAllowTvmOsaka', 0n],
    ['getAllowTvmPrague', 0n],
    ['getAllowHardenResourceCalculation', 0n],
    ['getAllowHardenExchangeCalculation', 0n],
  ]);
});
