import t from 'tap';
import { OldRewardSums } from '../../../../src/state-transition/state/old-reward-sums.js';
import { addressOf } from '../../../support/vm/state-with.js';

t.test('computes sums once per witness, and again for another last cycle or after a reorg', async (t) => {
  const sums = new OldRewardSums();
  let reads = 0;
  const inCycle = (cycle: bigint) => {
    reads++;
    return cycle * 10n;
  };
  const of = (end: bigint) => sums.of(addressOf(1), end, inCycle);
  t.same(of(4n), [0n, 10n, 30n, 60n]);
  of(4n);
  t.equal(reads, 3);
  t.equal(of(3n).length, 3);
  t.equal(reads, 5);
  sums.clear();
  of(3n);
  t.equal(reads, 7);
  t.same(of(0n), [0n]);
});

t.test('caches 128 witnesses and evicts the oldest', async (t) => {
  const sums = new OldRewardSums();
  let reads = 0;
  const read = (fill: number) => sums.of(addressOf(fill), 2n, () => BigInt(++reads));
  for (let fill = 1; fill <= 129; fill++) read(fill);
  read(129);
  read(2);
  t.equal(reads, 129);
  read(1);
  t.equal(reads, 130);
});
