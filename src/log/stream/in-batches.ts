import { TimeSlice } from '../../primitives/time-slice.js';
import type { Page } from './page.js';

/** Collects items that are processed together. */
export interface Batch<T> {
  readonly isFull: boolean;
  add(item: T): void;
}

/**
 * Groups items into batches. A batch has at least one item. It ends when it is full, or when the log has no further
 * item. Yields to other tasks of the thread every few milliseconds.
 * @param begin returns an empty batch; called when the first item of a batch has arrived
 */
export async function* inBatches<T, B extends Batch<T>>(
  pages: AsyncIterable<Page<T>>,
  begin: () => B | Promise<B>,
): AsyncGenerator<B> {
  const slice = new TimeSlice();
  let batch: B | undefined;
  for await (const { items, isNewest } of pages) {
    for await (const item of items) {
      batch ??= await begin();
      batch.add(item);
      if (batch.isFull) {
        yield batch;
        batch = undefined;
      }
      await slice.yieldIfOver();
    }
    if (isNewest && batch !== undefined) {
      yield batch;
      batch = undefined;
    }
  }
  if (batch !== undefined) yield batch;
}
