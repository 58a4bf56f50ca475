import t from 'tap';
import { ClockWatch } from '../../../../src/chain/production/clock-watch.js';

const HOUR_MS = 3_600_000;

function watch() {
  const times = { monotonic: 1000, shift: 1_700_000_000_000 };
  const made = new ClockWatch({
    now: () => times.shift + times.monotonic,
    monotonicMs: () => times.monotonic,
  });
  /** Advances the wall clock and the monotonic clock, then returns the result of the check. */
  const after = (ms: number): boolean => {
    times.monotonic += ms;
    return made.isTrusted();
  };
  return { times, after, reset: () => made.reset() };
}

for (const wrongBy of [HOUR_MS, -HOUR_MS, 6000])
  t.test(
    `stops production while the clock is wrong by ${wrongBy} ms, and continues when it is right again`,
    async (t) => {
      const { times, after } = watch();
      t.ok(after(0));
      times.shift += wrongBy;
      t.notOk(after(3000));
      t.notOk(after(3000));
      times.shift -= wrongBy;
      t.ok(after(3000));
    },
  );

t.test('continues production three slots after a clock correction', async (t) => {
  const { times, after } = watch();
  t.ok(after(0));
  times.shift += HOUR_MS;
  t.same([after(3000), after(3000), after(3000), after(3000)], [false, false, false, true]);
});

t.test('handles slow corrections and manual time changes', async (t) => {
  const slow = watch();
  for (let day = 0; day < 10; day++) {
    t.ok(slow.after(3000));
    slow.times.shift += 2000;
  }
  const set = watch();
  t.ok(set.after(0));
  set.times.shift += HOUR_MS;
  set.reset();
  t.ok(set.after(200));
});
