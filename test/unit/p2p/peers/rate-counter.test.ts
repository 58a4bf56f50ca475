import t from 'tap';
import { RateCounter } from '../../../../src/p2p/peers/rate-counter.js';

t.test('sums the newest seconds and stores one minute', async (t) => {
  let time = 1_000_500;
  const counter = new RateCounter(() => time);
  counter.add(3);
  time = 1_001_000;
  counter.add(4);
  t.same([counter.sum(1), counter.sum(2), counter.sum(60)], [4, 7, 7]);
  time = 1_060_000;
  t.same([counter.sum(59), counter.sum(60)], [0, 4], 'counts older than one minute are dropped');
  time = 1_061_000;
  t.equal(counter.sum(60), 0);
  counter.add(1);
  time = 10_000_000;
  t.equal(counter.sum(60), 0, 'after a long pause');
});

t.test('keeps its counts when the clock moves back', async (t) => {
  let time = 1_009_000;
  const counter = new RateCounter(() => time);
  counter.add(2);
  time = 1_004_000;
  counter.add(1);
  t.equal(counter.sum(1), 3);
});
