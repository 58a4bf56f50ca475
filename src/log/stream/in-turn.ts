import { from, Observable, type ObservableInput } from 'rxjs';

/**
 * Works on the items of a demand-driven stream, one after the other. The next item is requested when the work on the
 * previous one has completed. RxJS's `concatMap` over `from(items)` would request all items at once and keep them.
 *
 * Unsubscribing aborts the signal given to `items` and the work under way. An error of the work ends the stream after
 * the iterator has returned. So a retry never runs at the same time as the old iterator.
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
          // Wakes the iterator if it waits for an item. Otherwise its `return` would wait for that item too.
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
