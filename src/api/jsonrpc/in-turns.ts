import { itemAt } from '../../primitives/assert.js';
import { TimeSlice } from '../../primitives/time-slice.js';

/** A value, or a promise of the value. Most results are synchronous values without a promise. */
export type Later<T> = T | Promise<T>;

/** Time in ms after which a batch yields to other requests. */
const TURN_MS = 4;

/**
 * Runs a function on items one after another. Yields to the event loop every 4 ms, so that a batch does not delay other
 * clients. Returns synchronously if all items are done within that time.
 */
export function eachInTurns<Item>(items: readonly Item[], run: (item: Item) => Later<void>): Later<void> {
  const runFrom = (first: number): Later<void> => {
    const slice = new TimeSlice(TURN_MS);
    for (let at = first; at < items.length; at++) {
      const done = run(itemAt(items, at));
      if (done instanceof Promise) return done.then(() => runFrom(at + 1));
      if (slice.isOver && at + 1 < items.length) return slice.yieldIfOver().then(() => runFrom(at + 1));
    }
  };
  return runFrom(0);
}
