import { itemAt } from '../../primitives/assert.js';
import type { KeyedChange } from './change-set.js';
import { changesByProjection, foldChanges, isSame, type PendingRow, startsOf } from './fold.js';
import { rangeOver } from './merge-rows.js';
import { orderedText } from './ordered-key.js';
import { SortedRows } from './sorted-rows.js';
import type { RowWrite, StateDatabase } from './state-database.js';
import type { RangeOptions, StateReader, StateRow } from './state-reader.js';
import type { StoreId } from './stores.js';

/** State after the newest block: the rows on disk, overridden by the uncommitted rows. */
export class PendingState implements StateReader {
  private readonly database: StateDatabase;
  private readonly rows = new SortedRows<PendingRow>();
  private uncommitted = 0;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  /** Approximate size of the uncommitted rows, in bytes. */
  get uncommittedBytes(): number {
    return this.uncommitted;
  }

  get(store: StoreId, key: Uint8Array): Uint8Array | undefined {
    if (this.rows.size === 0) return this.database.get(store, key);
    const row = this.rows.get(orderedText(store, key));
    return row === undefined ? this.database.get(store, key) : row.after;
  }

  range(store: StoreId, options: RangeOptions = {}): Iterable<StateRow> {
    return rangeOver(this.database, this.rows, ({ after }) => after, store, options);
  }

  /**
   * Applies the changes of a block to the uncommitted rows, projection by projection. If a row has no uncommitted
   * value, the next commit compares the old value of the change with the row on disk.
   * @throws {TronError} CHANGES_MISMATCH: the old value of a change differs from the uncommitted value; no change is
   * applied
   */
  apply(changes: readonly KeyedChange[]): void {
    const parts = changesByProjection(changes);
    const starts = parts.map((part) => startsOf(this.rows, part));
    for (const [index, part] of parts.entries()) {
      this.uncommitted += foldChanges(this.rows, part, itemAt(starts, index));
    }
  }

  /**
   * Iterates over the writes of the next commit in LMDB key order. Skips rows whose new value equals the value on disk.
   */
  *writes(): IterableIterator<RowWrite> {
    for (const [text, { before, after }] of this.rows.entries()) {
      if (isSame(before, after)) continue;
      yield { ordered: Buffer.from(text, 'latin1'), before, after };
    }
  }

  /** Removes the uncommitted rows. Must be called after the commit. */
  clear(): void {
    this.rows.clear();
    this.uncommitted = 0;
  }
}
