import { equalBytes } from '../log/domain/bytes.js';
import { mergeRows, type OverlaidRow } from './merge-rows.js';
import { keyOfOrdered, orderedRange, orderedText } from './ordered-key.js';
import { SortedRows } from './sorted-rows.js';
import type { RangeOptions, Row, StateReader } from './state-reader.js';
import type { StoreId } from './stores.js';

/** A row that lies over a state; without a value there is no such row. */
export interface WrittenRow {
  readonly store: StoreId;
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** A state seen through rows that lie over it. */
export class OverlaidState implements StateReader {
  private readonly base: StateReader;
  private readonly rows = new SortedRows<Uint8Array | undefined>();

  constructor(base: StateReader) {
    this.base = base;
  }

  get(store: StoreId, key: Uint8Array): Uint8Array | undefined {
    if (this.rows.size === 0) return this.base.get(store, key);
    const text = orderedText(store, key);
    return this.rows.has(text) ? this.rows.get(text) : this.base.get(store, key);
  }

  *range(store: StoreId, options: RangeOptions = {}): IterableIterator<Row> {
    const { limit: _, ...unlimited } = options;
    if (this.rows.size === 0) yield* this.base.range(store, options);
    else yield* mergeRows(store, this.base.range(store, unlimited), this.over(store, unlimited), options);
  }

  put(rows: Iterable<WrittenRow>): void {
    for (const { store, key, value } of rows) this.rows.set(orderedText(store, key), value);
  }

  clear(): void {
    this.rows.clear();
  }

  private *over(store: StoreId, options: RangeOptions): IterableIterator<OverlaidRow> {
    const bounds = orderedRange(store, options);
    for (const [text, value] of this.rows.range(bounds)) {
      const key = keyOfOrdered(Buffer.from(text, 'latin1'));
      if (bounds.prefix !== undefined && !equalBytes(key.subarray(0, bounds.prefix.length), bounds.prefix)) continue;
      yield { key, value };
    }
  }
}
