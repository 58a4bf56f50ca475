import type { OrderedRange } from './ordered-key.js';

/**
 * A map by ordered row key with ordered iteration. The first ordered read sorts the keys, because a block changes
 * hundreds of rows but reads only a few ranges.
 */
export class SortedRows<Value> {
  private readonly values = new Map<string, Value>();
  private sorted: string[] = [];
  private fresh: string[] = [];
  private hasGaps = false;

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
    if (this.values.size !== before) this.fresh.push(text);
  }

  delete(text: string): void {
    if (this.values.delete(text)) this.hasGaps = true;
  }

  clear(): void {
    this.values.clear();
    this.sorted = [];
    this.fresh = [];
    this.hasGaps = false;
  }

  /** Iterates over the rows within the bounds, in key order. The map must not change during the iteration. */
  *range({ low, high, reverse }: OrderedRange): IterableIterator<readonly [string, Value]> {
    const keys = this.keys();
    const start = lowerBound(keys, low);
    const end = lowerBound(keys, high);
    for (let i = 0; i < end - start; i++) {
      const text = keys[reverse ? end - 1 - i : start + i] as string;
      yield [text, this.values.get(text) as Value];
    }
  }

  /** Iterates over all rows in key order. */
  *entries(): IterableIterator<readonly [string, Value]> {
    for (const text of this.keys()) yield [text, this.values.get(text) as Value];
  }

  private keys(): readonly string[] {
    if (this.hasGaps) {
      this.sorted = [...this.values.keys()].sort();
      this.fresh = [];
      this.hasGaps = false;
    } else if (this.fresh.length > 0) {
      this.sorted = merge(this.sorted, this.fresh.sort());
      this.fresh = [];
    }
    return this.sorted;
  }
}

function merge(a: readonly string[], b: readonly string[]): string[] {
  if (a.length === 0) return [...b];
  const all: string[] = [];
  let i = 0;
  for (const text of b) {
    while (i < a.length && (a[i] as string) < text) all.push(a[i++] as string);
    all.push(text);
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
