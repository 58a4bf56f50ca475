import { rangeOver } from './merge-rows.js';
import { orderedText } from './ordered-key.js';
import { SortedRows } from './sorted-rows.js';
import type { RangeOptions, StateReader, StateRow } from './state-reader.js';
import type { StoreId } from './stores.js';

/**
 * New value of a row, which replaces the row of an underlying state. An undefined value means that the row is
 * deleted.
 */
export interface WrittenRow {
  readonly store: StoreId;
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** A state whose rows override the rows of another state. */
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

  range(store: StoreId, options: RangeOptions = {}): Iterable<StateRow> {
    return rangeOver(this.base, this.rows, (value) => value, store, options);
  }

  put(rows: Iterable<WrittenRow>): void {
    for (const { store, key, value } of rows) this.rows.set(orderedText(store, key), value);
  }

  clear(): void {
    this.rows.clear();
  }
}
