import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { Permits } from '../../../../../src/api/middleware/permits.js';
import { SharedCounts } from '../../../../../src/api/middleware/shared/shared-counts.js';

const NAMES = ['http fullnode', 'rpc limited'];
const WAIT_MS = 20_000;

function threadsOf(count: number): readonly SharedCounts[] {
  const options = { names: NAMES, threads: count };
  const buffer = SharedCounts.createBuffer(options);
  return Array.from({ length: count }, (_, thread) => new SharedCounts({ ...options, buffer, thread }));
}

t.test('limits the number of calls over all threads', async (t) => {
  const threads = threadsOf(3);
  const counts = threads.map((thread) => thread.limited('http fullnode', 4));
  t.same(
    [0, 1, 2, 0, 1, 2].map((thread) => counts[thread]!.take()),
    [true, true, true, true, false, false],
  );
  counts[0]!.release();
  t.equal(counts[2]!.take(), true);
  t.equal(threads[0]!.limited('rpc limited', 1).take(), true, 'another count');
  t.equal(threads[1]!.limited('rpc limited', 0).take(), false);
});

t.test('releases the permits of a thread that ended', async (t) => {
  const threads = threadsOf(2);
  const counts = threads.map((thread) => thread.limited('http fullnode', 2));
  for (const count of [counts[1]!, counts[1]!]) count.take();
  t.equal(counts[0]!.take(), false);
  threads[0]!.clear(1);
  t.equal(counts[0]!.take(), true);
  t.equal(counts[0]!.take(), true);
  t.equal(counts[0]!.take(), false);
});

t.test('queues a call if another thread has queued calls, even if a permit is free', async (t) => {
  const [first, second] = threadsOf(2).map((thread) => thread.limited('rpc limited', 1));
  t.equal(first!.take(), true);
  second!.setQueued(3);
  t.equal(first!.queued, 3);
  const permits = new Permits(first!, WAIT_MS);
  const keep = setTimeout(() => undefined, WAIT_MS);
  first!.release();
  const queued = permits.acquire();
  t.ok(queued instanceof Promise, 'it is queued, although a permit is free');
  t.equal(await queued, true);
  clearTimeout(keep);
});

t.test('distributes the permits between two busy threads', async (t) => {
  const threads = threadsOf(2).map((thread) => new Permits(thread.limited('rpc limited', 1), WAIT_MS));
  const keep = setInterval(() => undefined, WAIT_MS);
  const served = [0, 0];
  const call = async (thread: number): Promise<void> => {
    while (served[0]! + served[1]! < 200) {
      t.equal(await threads[thread]!.acquire(), true);
      await sleep(1);
      served[thread]!++;
      threads[thread]!.release();
    }
  };
  await Promise.all([0, 0, 1, 1].map(call));
  clearInterval(keep);
  t.ok(Math.min(...served) > 40, `${served}`);
});

t.test('admits a queued call when another thread releases a permit', async (t) => {
  const [first, second] = threadsOf(2).map((thread) => new Permits(thread.limited('rpc limited', 1), WAIT_MS));
  t.equal(first!.acquire(), true);
  const queued = second!.acquire();
  const keep = setTimeout(() => undefined, WAIT_MS); // Keeps the process alive, unlike the timers of permits.
  await sleep(20);
  first!.release();
  t.equal(await queued, true);
  clearTimeout(keep);
  t.equal(first!.tryAcquire(), false, 'the other thread has the permit');
});
