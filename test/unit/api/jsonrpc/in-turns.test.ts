import t, { type Test } from 'tap';
import { eachInTurns } from '../../../../src/api/jsonrpc/in-turns.js';

/** Replaces the clock during a test. Returns a function that advances the clock by a number of ms. */
function stopClock(t: Test): (ms: number) => void {
  let nowMs = 0;
  t.intercept(performance, 'now', { value: () => nowMs });
  return (ms) => {
    nowMs += ms;
  };
}

t.test('runs short items in order without a promise', (t) => {
  stopClock(t);
  const seen: number[] = [];
  t.equal(
    eachInTurns([1, 2, 3], (item) => void seen.push(item)),
    undefined,
  );
  t.same(seen, [1, 2, 3]);
  t.end();
});

t.test('waits for the promise of an item before it starts the next one', async (t) => {
  const seen: string[] = [];
  await eachInTurns(['a', 'b'], async (item) => {
    seen.push(`${item} begins`);
    await new Promise((resolve) => setTimeout(resolve, 1));
    seen.push(`${item} ends`);
  });
  t.same(seen, ['a begins', 'a ends', 'b begins', 'b ends']);
});

t.test('lets other work run between items that take long', async (t) => {
  const pass = stopClock(t);
  const seen: string[] = [];
  setImmediate(() => seen.push('another request'));
  await eachInTurns(['a', 'b', 'c'], (item) => {
    seen.push(item);
    pass(6);
  });
  t.same(seen, ['a', 'another request', 'b', 'c']);
});

t.test('rejects and stops at the first item that fails', async (t) => {
  const fail = (): never => {
    throw new Error('failed');
  };
  t.throws(() => eachInTurns([1], fail), /failed/);
  await t.rejects(Promise.resolve(eachInTurns([1, 2], (item) => (item === 1 ? Promise.resolve() : fail()))), /failed/);
});
