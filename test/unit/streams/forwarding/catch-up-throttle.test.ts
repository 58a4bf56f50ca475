import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { CatchUpThrottle } from '../../../../src/streams/forwarding/catch-up-throttle.js';

/** Returns a chain whose blocks are solidified immediately. The test controls the blocks and the clock. */
function chain() {
  const position = { headNumber: 0, solidifiedNumber: 0 } as { headNumber: number; solidifiedNumber: number };
  let now = 1000;
  const throttle = new CatchUpThrottle(
    { position } as unknown as ConstructorParameters<typeof CatchUpThrottle>[0],
    () => now,
  );
  const grow = (blocks: number, ms: number): void => {
    position.headNumber += blocks;
    position.solidifiedNumber += blocks;
    now += ms;
  };
  const ends = new AbortController();
  let isResting = false;
  const rest = async (passed = position.solidifiedNumber): Promise<void> => {
    isResting = true;
    await throttle.pause(passed, ends.signal);
    isResting = false;
  };
  return { grow, rest, ends, isResting: () => isResting };
}

/** Time in ms after which a pausing forwarder has checked the clock at least once. */
const CHECK_MS = 500;

t.test('does not pause while blocks arrive at the rate of production', async (t) => {
  const { grow, rest } = chain();
  for (let count = 0; count < 100; count++) {
    grow(1, 200);
    await rest();
  }
  grow(19, 3000);
  await rest();
  t.pass('the forwarder never paused, although the clock does not advance');
});

t.test('forwards one batch during catch-up, then pauses ten seconds', async (t) => {
  const { grow, rest, isResting } = chain();
  grow(100, 1000);
  const first = rest();
  await sleep(CHECK_MS);
  t.ok(isResting());
  grow(900, 9000);
  await sleep(CHECK_MS);
  t.ok(isResting(), 'the pause lasts more than nine seconds');
  grow(100, 1500);
  await first;
  // The second batch ends at block 1100, because block 1100 was the solidified block when the batch started.
  grow(50, 500);
  await rest(1000);
  await rest(1099);
  const second = rest(1100);
  await sleep(CHECK_MS);
  t.ok(isResting());
  grow(1000, 10_000);
  await second;
});

t.test('ends the pause after catch-up, or if all blocks must be forwarded', async (t) => {
  const { grow, rest, ends, isResting } = chain();
  grow(100, 1000);
  const first = rest();
  grow(2, 3100);
  await first;
  grow(3, 3000);
  await rest();
  grow(500, 3000);
  const second = rest();
  await sleep(CHECK_MS);
  t.ok(isResting());
  ends.abort();
  await second;
});
