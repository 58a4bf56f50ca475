import { setImmediate } from 'node:timers/promises';

/** A value, or a promise of the value. Most results are synchronous, and a promise for each would be slower. */
export type Later<T> = T | Promise<T>;

/** Time after which a batch yields to other requests, in ms. */
const TURN_MS = 4;

/**
 * Runs a function on items one after another. Yields to the event loop every 4 ms, so that a batch does not delay other
 * clients. Returns synchronously if all items are done within that time.
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
