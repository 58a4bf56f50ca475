import t from 'tap';
import { BatchLimits } from '../../../../../src/streams/sinks/kafka/batch-limits.js';

const FULL = { records: 8000, bytes: 8 * 1024 * 1024 };

t.test('halves the batches after each transaction that takes its whole timeout, down to one record', (t) => {
  const limits = new BatchLimits(1000);
  t.same(limits.current, FULL);
  limits.ended(1000);
  t.same(limits.current, { records: 4000, bytes: 4 * 1024 * 1024 });
  for (let time = 0; time < 100; time++) limits.ended(2000);
  t.equal(limits.current.records, 1);
  t.end();
});

t.test('doubles the batches after fast transactions, up to the full size', (t) => {
  const limits = new BatchLimits(1000);
  limits.ended(1000);
  limits.ended(1000);
  limits.ended(600);
  t.equal(limits.current.records, 2000);
  limits.ended(249);
  t.equal(limits.current.records, 4000);
  for (let time = 0; time < 3; time++) limits.ended(10);
  t.same(limits.current, FULL);
  t.end();
});
