import t from 'tap';
import { RateBucket } from '../../../../src/p2p/peers/rate-bucket.js';

t.test('permits four at once, then one each third of a second', async (t) => {
  let timeMs = 1000;
  const bucket = new RateBucket(3, () => timeMs);
  const admitted = (): number => {
    let count = 0;
    while (bucket.tryTake()) count++;
    return count;
  };
  t.equal(admitted(), 4);
  timeMs += 333;
  t.equal(admitted(), 0);
  timeMs += 1;
  t.equal(admitted(), 1);
  timeMs += 60_000;
  t.equal(admitted(), 4, 'a pause permits no more than four at once');
});

t.test('always permits without a limit', async (t) => {
  const bucket = new RateBucket(Number.POSITIVE_INFINITY, () => 0);
  for (let count = 0; count < 1000; count++) t.ok(bucket.tryTake());
});
