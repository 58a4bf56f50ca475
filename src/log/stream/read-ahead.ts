/**
 * Requests the next item while the consumer works on the current one. Reads at most one item ahead. To end an iterator
 * that waits for an item, end the source first.
 */
export async function* readAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  const request = (): Promise<IteratorResult<T>> => {
    const next = source.next();
    // Avoids an unhandled rejection. The error is thrown where the item is awaited.
    next.catch(() => undefined);
    return next;
  };
  let upcoming = request();
  try {
    for (;;) {
      const { done, value } = await upcoming;
      if (done === true) return;
      upcoming = request();
      yield value;
    }
  } finally {
    await source.return(undefined).catch(() => undefined);
  }
}
