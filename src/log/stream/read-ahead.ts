/**
 * Requests the next item while the consumer works on the current one. At most one item waits. To end it while it waits
 * for an item, the source must end first.
 */
export async function* readAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  const request = (): Promise<IteratorResult<T>> => {
    const next = source.next();
    // Avoids an unhandled rejection; the error is thrown where the item is awaited.
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
