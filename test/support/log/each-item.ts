import type { Page } from '../../../src/log/stream/page.js';

/** Yields the items of all pages one after the other. */
export async function* eachItem<T>(pages: AsyncIterable<Page<T>>): AsyncGenerator<T> {
  for await (const { items } of pages) yield* items;
}
