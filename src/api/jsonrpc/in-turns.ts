import { setImmediate } from 'node:timers/promises';

/** A value, or a promise of it. Most results are there at once, and a promise for each would be slower. */
export type Later<T> = T | Promise<T>;

/** Time after which the calls of a batch let other requests run, in ms. */
const TURN_MS = 4;

/**
 * Runs a function on items one after another. Lets the event loop continue between items every 4 ms, so that a batch
 * delays no other client. Returns synchronously if all items are done within that time.
 */
export function eachInTurns<Item>(
  items: readonly Item[],
  run: (item: Item) => Later<void>,
  from = 0,
  started = performance.now(),
): Later<void> {
  for (let at = from; at < items.length; at++) {
    const done = run(items[at] as Item);
    if (done instanceof Promise) return done.then(() => eachInTurns(items, run, at + 1));
    if (performance.now() - started > TURN_MS && at + 1 < items.length)
      return setImmediate().then(() => eachInTurns(items, run, at + 1));
  }
}
