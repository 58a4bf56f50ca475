import type { OrderedRange } from './ordered-key.js';

/**
 * A map with ordered row keys. Keys are sorted only before an ordered read, and only in the stores that it reads,
 * because a block changes hundreds of rows but reads only a few ranges.
 */
export class SortedRows<Value> {
  private readonly values = new Map<string, Value>();
  /** Keys by store, which is the first character of a key. */
  private readonly stores = new Map<number, SortedKeys>();

  get size(): number {
    return this.values.size;
  }

  get(text: string): Value | undefined {
    return this.values.get(text);
  }

  has(text: string): boolean {
    return this.values.has(text);
  }

  set(text: string, value: Value): void {
    const before = this.values.size;
    this.values.set(text, value);
    if (this.values.size !== before) this.keysOf(text).add(text);
  }

  delete(text: string): void {
    if (this.values.delete(text)) this.keysOf(text).remove(this.values);
  }

  clear(): void {
    this.values.clear();
    this.stores.clear();
  }

  /** Iterates over the rows within the bounds, in key order. The map must not change during the iteration. */
  *range({ low, high, reverse }: OrderedRange): IterableIterator<readonly [string, Value]> {
    const stores = this.storesFrom(low.charCodeAt(0), high.charCodeAt(0));
    if (reverse) stores.reverse();
    for (const store of stores) {
      const keys = store.sorted(this.values);
      const [start, end] = [lowerBound(keys, low), lowerBound(keys, high)];
      for (let i = 0; i < end - start; i++) {
        const text = keys[reverse ? end - 1 - i : start + i] as string;
        yield [text, this.values.get(text) as Value];
      }
    }
  }

  /** Iterates over all rows in key order. */
  *entries(): IterableIterator<readonly [string, Value]> {
    for (const store of this.storesFrom(0, Number.POSITIVE_INFINITY))
      for (const text of store.sorted(this.values)) yield [text, this.values.get(text) as Value];
  }

  private keysOf(text: string): SortedKeys {
    const store = text.charCodeAt(0);
    let keys = this.stores.get(store);
    if (keys === undefined) {
      keys = new SortedKeys();
      this.stores.set(store, keys);
    }
    return keys;
  }

  /** Returns the stores from `first` to `last`, both included, in ascending order. */
  private storesFrom(first: number, last: number): SortedKeys[] {
    return [...this.stores]
      .filter(([store]) => store >= first && store <= last)
      .sort(([a], [b]) => a - b)
      .map(([, keys]) => keys);
  }
}

/**
 * Minimum number of deletions before deleted keys are removed from the lists. There must also be at least half as
 * many deletions as listed keys.
 */
const GAPS_MIN = 1_024;

/**
 * Keys of one store. Deleted keys are removed from the lists later: when there are many of them, or at an ordered
 * read.
 */
class SortedKeys {
  private old: readonly string[] = [];
  private fresh: string[] = [];
  /** Number of deletions since deleted keys were last removed from the lists. */
  private gaps = 0;

  add(text: string): void {
    this.fresh.push(text);
  }

  /** Counts the deletion of a key. @param present contains the keys that were not deleted */
  remove(present: ReadonlyMap<string, unknown>): void {
    this.gaps++;
    if (this.gaps < GAPS_MIN || 2 * this.gaps < this.old.length + this.fresh.length) return;
    this.old = this.old.filter((text) => present.has(text));
    const known = new Set(this.old);
    this.fresh = [...new Set(this.fresh)].filter((text) => present.has(text) && !known.has(text));
    this.gaps = 0;
  }

  /** Returns the keys in ascending order. @param present contains the keys that were not deleted */
  sorted(present: ReadonlyMap<string, unknown>): readonly string[] {
    if (this.fresh.length === 0 && this.gaps === 0) return this.old;
    const all = merge(this.old, this.fresh.sort());
    this.old = this.gaps > 0 ? all.filter((text) => present.has(text)) : all;
    this.fresh = [];
    this.gaps = 0;
    return this.old;
  }
}

/**
 * Merges two sorted lists. A key that was deleted and added again can be in both lists, but is in the result only once.
 */
function merge(a: readonly string[], b: readonly string[]): readonly string[] {
  if (b.length === 0) return a;
  const all: string[] = [];
  let i = 0;
  for (const text of b) {
    while (i < a.length && (a[i] as string) < text) all.push(a[i++] as string);
    if (a[i] === text) i++;
    if (all.at(-1) !== text) all.push(text);
  }
  while (i < a.length) all.push(a[i++] as string);
  return all;
}

function lowerBound(keys: readonly string[], text: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
