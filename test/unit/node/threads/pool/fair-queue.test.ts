import t from 'tap';
import { FairQueue } from '../../../../../src/node/threads/pool/fair-queue.js';

t.test('returns one item of each kind in turn, and items of one kind in order', (t) => {
  const queue = new FairQueue<string, string>(10);
  for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) queue.add(item.slice(0, 1), item);
  const order = Array.from({ length: 8 }, () => queue.take());
  t.same(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4', undefined]);
  t.end();
});

t.test('a kind that was empty waits for one item of each other kind at most', (t) => {
  const queue = new FairQueue<string, string>(10);
  for (const item of ['a1', 'a2', 'a3']) queue.add('a', item);
  queue.take();
  queue.add('b', 'b1');
  t.same([queue.take(), queue.take()], ['a2', 'b1']);
  t.end();
});

t.test('limits the number of queued items of each kind', (t) => {
  const queue = new FairQueue<string, number>(2);
  t.same([queue.add('a', 1), queue.add('a', 2), queue.add('a', 3), queue.add('b', 4)], [true, true, false, true]);
  queue.clear();
  t.equal(queue.take(), undefined);
  t.end();
});
