import { setImmediate as nextTick } from 'node:timers/promises';
import t from 'tap';
import { QuerySlices } from '../../../../src/api/graphql/query-slices.js';

t.test('limits the work of concurrent searches per turn of the event loop', async (t) => {
  const turns: (() => void)[] = [];
  const share = new QuerySlices(10, (run) => void turns.push(run));
  let done: number[] = [];
  const search = async (name: number): Promise<void> => {
    for (let step = 0; step < 5; step++) {
      await share.take(4);
      done.push(name);
    }
  };
  const searches = Promise.all([search(1), search(2), search(3)]);
  const sizes: number[] = [];
  const order: number[] = [];
  for (;;) {
    // Lets the searches run one slice each.
    await nextTick();
    sizes.push(done.length);
    order.push(...done);
    done = [];
    const next = turns.shift();
    if (next === undefined) break;
    next();
  }
  await searches;
  t.same(sizes, [3, 3, 3, 3, 3, 0], 'the slice that uses up a turn is the last of that turn');
  t.same(order.slice(0, 9), [1, 2, 3, 1, 2, 3, 1, 2, 3], 'searches run in the order of their start');
  t.equal(turns.length, 0, 'no turn is scheduled without a search');
});

t.test('runs work that exceeds the limit of a turn in a turn of its own', async (t) => {
  const turns: (() => void)[] = [];
  const share = new QuerySlices(10, (run) => void turns.push(run));
  let done = 0;
  const search = async (): Promise<void> => {
    for (const work of [100, 100, 1, 1]) {
      await share.take(work);
      done++;
    }
  };
  const ended = search();
  const sizes: number[] = [];
  for (;;) {
    await nextTick();
    sizes.push(done);
    const next = turns.shift();
    if (next === undefined) break;
    next();
  }
  await ended;
  t.same(sizes, [1, 2, 4, 4]);
});
