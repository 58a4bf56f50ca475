import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { inPortions, PeerSlices, SLICE_MS, type Steps } from '../../../src/p2p/peer-slices.js';
import { IdleClock } from '../../../src/p2p/peers/idle-clock.js';

/**
 * Returns slices with a simulated clock. Each check of the clock advances it by 1 ms, so a slice has SLICE_MS steps.
 */
function turnsOf() {
  let nowMs = 0;
  const waitClock = new IdleClock(() => nowMs);
  return { turns: new PeerSlices({ waitClock, clock: () => nowMs++ }), waitClock };
}

function* counting(steps: number, done: (step: number) => void): Steps {
  for (let step = 0; step < steps; step++) {
    done(step);
    yield;
  }
}

const never = (): boolean => false;

t.test('runs short work synchronously without a promise', async (t) => {
  const { turns } = turnsOf();
  let done = 0;
  t.equal(
    turns.run(
      counting(SLICE_MS - 1, () => done++),
      never,
    ),
    undefined,
  );
  t.equal(done, SLICE_MS - 1);
});

t.test('yields to the event loop between slices of long work, also while other work is queued', async (t) => {
  const { turns } = turnsOf();
  const done = { first: 0, second: 0 };
  const first = turns.run(
    counting(10 * SLICE_MS, () => done.first++),
    never,
  );
  const second = turns.run(
    counting(10 * SLICE_MS, () => done.second++),
    never,
  );
  t.same(done, { first: SLICE_MS, second: SLICE_MS }, 'each new task runs in its first turn');
  let loops = 0;
  let longest = 0;
  for (let last = 2 * SLICE_MS; done.first + done.second < 20 * SLICE_MS; loops++) {
    await nextTurn();
    const now = done.first + done.second;
    longest = Math.max(longest, now - last);
    last = now;
  }
  await Promise.all([first, second]);
  t.equal(longest, SLICE_MS, 'one turn of one task, then other events');
  t.ok(loops >= 18, `${loops} turns of the loop`);
});

t.test('waits for promises and reports errors of every slice', async (t) => {
  const { turns } = turnsOf();
  const order: string[] = [];
  function* pausing(): Steps {
    order.push('started');
    yield nextTurn().then(() => void order.push('promise resolved'));
    order.push('continued');
    yield* counting(2 * SLICE_MS, () => undefined);
    throw new Error('error in the last slice');
  }
  await t.rejects(Promise.resolve(turns.run(pausing(), never)), { message: 'error in the last slice' });
  t.same(order, ['started', 'promise resolved', 'continued']);
  t.throws(
    () =>
      turns.run(
        inPortions([1], () => {
          throw new Error('error in the first slice');
        }),
        never,
      ),
    { message: 'error in the first slice' },
  );
  const after = turns.run(
    counting(2 * SLICE_MS, () => undefined),
    never,
  );
  await t.resolves(Promise.resolve(after), 'other work continues');
});

t.test('stops the work when its result is no longer needed', async (t) => {
  const { turns } = turnsOf();
  let done = 0;
  const work = turns.run(
    counting(10 * SLICE_MS, () => done++),
    () => true,
  );
  await work;
  t.equal(done, SLICE_MS);
});

t.test('does not count the time of later slices as response time of peers', async (t) => {
  const { turns, waitClock } = turnsOf();
  const before = waitClock.now();
  await waitClock.during(() =>
    turns.run(
      counting(5 * SLICE_MS, () => undefined),
      never,
    ),
  );
  t.equal(waitClock.now(), before, 'the time is not counted as waiting for a peer');
});

t.test('processes a list in portions, completely and in order', async (t) => {
  const list = Array.from({ length: 1000 }, (_, at) => at);
  const seen: number[] = [];
  const steps = [...inPortions(list, (portion) => seen.push(...portion))];
  t.same(seen, list);
  t.ok(steps.length > 1);
});
