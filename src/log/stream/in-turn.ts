import { from, Observable, type ObservableInput } from 'rxjs';

/**
 * Works on the items of a demand-driven stream, one after the other. Requests the next item when the work on the
 * previous item has completed. RxJS's `concatMap` over `from(items)` would request all items at once and retain them.
 *
 * Unsubscribing aborts the current work and the signal that `items` receives. If the work fails, the stream ends after
 * the iterator has returned, so a retry never runs at the same time as the old iterator.
 */
export function inTurn<T, R>(
  items: (signal: AbortSignal) => AsyncIterable<T>,
  work: (item: T) => ObservableInput<R>,
): Observable<R> {
  return new Observable((subscriber) => {
    const ended = new AbortController();
    const workOn = (item: T): Promise<void> =>
      new Promise((resolve, reject) => {
        const running = from(work(item)).subscribe({
          next: (result) => subscriber.next(result),
          error: reject,
          complete: resolve,
        });
        running.add(resolve);
        subscriber.add(running);
      });
    const run = async (): Promise<void> => {
      for await (const item of items(ended.signal)) {
        if (ended.signal.aborted) return;
        try {
          await workOn(item);
        } catch (error) {
          // Wakes an iterator that waits for an item, because its `return` would also wait for that item.
          ended.abort();
          throw error;
        }
      }
    };
    run().then(
      () => subscriber.complete(),
      (error: unknown) => subscriber.error(error),
    );
    return () => ended.abort();
  });
}
