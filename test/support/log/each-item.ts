import type { Page } from '../../../src/log/stream/page.js';

/** Yields the items of pages one by one. */
export async function* eachItem<T>(pages: AsyncIterable<Page<T>>): AsyncGenerator<T> {
  for await (const { items } of pages) yield* items;
}
