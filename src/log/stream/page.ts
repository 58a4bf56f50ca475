/** Consecutive items of a stream. */
export interface Page<T> {
  readonly items: Iterable<T> | AsyncIterable<T>;
  /** True if the log had no later entry when the page was read. */
  readonly isNewest: boolean;
}

/**
 * Converts each page. Items are converted when the consumer requests them. A consumer must take all items of a page
 * before it requests the next page.
 */
export async function* mapPages<T, P extends Page<T>, R>(
  pages: AsyncIterable<P>,
  convert: (items: P['items']) => Page<R>['items'],
): AsyncGenerator<Page<R>> {
  for await (const { items, isNewest } of pages) yield { items: convert(items), isNewest };
}
