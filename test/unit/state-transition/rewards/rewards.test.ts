import t from 'tap';
import { Vote } from '../../../../src/codec/generated/messages.js';
import { fromInt64, toHex, utf8 } from '../../../../src/primitives/bytes.js';
import { rewardOf } from '../../../../src/state-transition/rewards/rewards.js';
import type { State } from '../../../../src/state-transition/state/state.js';
import { addressOf, bytesOf, stateWith } from '../../../support/vm/state-with.js';

const UNIT = 10n ** 18n;
/**
 * Reward and votes of a witness, by cycle. Undefined means that no row of votes exists, which java-tron reads as -1.
 */
const cycles: readonly (readonly [reward: bigint, votes: bigint | undefined])[] = [
  [7n, 3n],
  [1_000_003n, 7n],
  [0n, 9n],
  [500n, 0n],
  [999_999_999n, 1_234_567n],
  [5n, undefined],
  [31n, 3n],
];

/** Returns a state in cycle `current`, which is at or after the last cycle of the old reward rule. */
function chain(optimized: bigint, current = cycles.length): State {
  const newFrom = BigInt(cycles.length);
  const state = stateWith({
    ALLOW_OLD_REWARD_OPT: optimized,
    NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE: newFrom,
    CURRENT_CYCLE_NUMBER: BigInt(current),
  });
  for (const [cycle, [reward, votes]] of cycles.entries()) {
    state.delegation.put(toHex(utf8(`${cycle}-${addressOf(1)}-reward`)), fromInt64(reward));
    if (votes !== undefined) state.delegation.put(toHex(utf8(`${cycle}-${addressOf(1)}-vote`)), fromInt64(votes));
  }
  return state;
}

/** Returns java-tron's table: the sum of the rewards per vote since cycle 1. Reference: RewardViCalService. */
function table(): bigint[] {
  const rows = [0n];
  for (let cycle = 1; cycle < cycles.length; cycle++) {
    const [reward, votes = -1n] = cycles[cycle]!;
    rows.push(rows[cycle - 1]! + (reward === 0n || votes === 0n ? 0n : (reward * UNIT) / votes));
  }
  return rows;
}

const votes = [Object.assign(new Vote(), { voteAddress: bytesOf(1), voteCount: 5n })];

t.test("pays old cycles by java-tron's table of rewards per vote", async (t) => {
  const rows = table();
  // In the second state, the last old cycle is the current cycle, so the sums are not cached.
  for (const state of [chain(1n), chain(1n, cycles.length - 1)])
    for (let start = 0; start < cycles.length; start++) {
      for (let end = start + 1; end <= cycles.length; end++) {
        const delta = (rows[end - 1] ?? 0n) - (rows[start - 1] ?? 0n);
        const paid = delta > 0n ? (delta * 5n) / UNIT : 0n;
        t.equal(rewardOf(state, BigInt(start), BigInt(end), votes), paid, `cycles ${start} to ${end}`);
      }
    }
});

t.test('computes the reward of each old cycle separately, as doubles, before proposal 79', async (t) => {
  const state = chain(0n);
  const byCycle = (5 / 7) * 1_000_003;
  t.equal(rewardOf(state, 1n, 2n, votes), BigInt(Math.trunc(byCycle)));
  t.equal(rewardOf(state, 6n, 7n, votes), 51n);
  t.equal(rewardOf(state, 0n, 1n, votes), 11n, 'cycle 0 is paid here, but not after the vote');
  t.equal(rewardOf(chain(1n), 0n, 1n, votes), 0n);
});

/** Counts reads of reward rows in the store. Returns a function that returns the current count. */
function countReads({ delegation }: State): () => number {
  let reads = 0;
  const get = delegation.get.bind(delegation);
  delegation.get = (key) => {
    reads++;
    return get(key);
  };
  return () => reads;
}

t.test('caches rows of old cycles, and reads them again after a rollback', async (t) => {
  const state = chain(1n);
  const end = BigInt(cycles.length);
  const rewards = (): bigint => rewardOf(state, 1n, end, votes);
  const paid = rewards();
  const reads = countReads(state);
  t.equal(rewards(), paid);
  t.equal(rewardOf(state, 2n, 3n, votes), ((table()[2]! - table()[1]!) * 5n) / UNIT);
  t.equal(reads(), 0);
  state.oldRewards.clear();
  state.delegation.put(toHex(utf8(`2-${addressOf(1)}-reward`)), fromInt64(0n));
  t.equal(rewards(), paid - (table()[2]! * 5n) / UNIT + (table()[1]! * 5n) / UNIT);
  t.ok(reads() > 0);
  const before = reads();
  state.resetBranch();
  rewards();
  t.ok(reads() > before, 'on another branch');
  const sums = chain(1n, cycles.length - 1);
  rewardOf(sums, 1n, end - 1n, votes);
  const again = countReads(sums);
  rewardOf(sums, 1n, end - 1n, votes);
  t.ok(again() > 0, 'while the last old cycle is the current cycle');
});
