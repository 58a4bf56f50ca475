import { equalBytes } from '../../primitives/bytes.js';
import { TronError } from '../../primitives/errors.js';
import type { KeyedChange } from './change-set.js';
import { rangeOver } from './merge-rows.js';
import { orderedText } from './ordered-key.js';
import { SortedRows } from './sorted-rows.js';
import type { RowWrite, StateDatabase } from './state-database.js';
import type { RangeOptions, StateReader, StateRow } from './state-reader.js';
import { type StoreId, storeName } from './stores.js';

interface PendingRow {
  /** Value on disk. */
  readonly before: Uint8Array | undefined;
  after: Uint8Array | undefined;
}

/** State after the newest block: the rows on disk, overridden by the rows of the next commit. */
export class PendingState implements StateReader {
  private readonly database: StateDatabase;
  private readonly rows = new SortedRows<PendingRow>();
  private waiting = 0;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  /** Approximate size of the uncommitted rows, in bytes. */
  get waitingBytes(): number {
    return this.waiting;
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
   * Applies the changes of a block. If the old value of a row is only on disk, it is compared later, at the commit.
   * @throws {TronError} CHANGES_MISMATCH: a `before` differs from the pending value; no change is applied
   */
  apply(changes: readonly KeyedChange[]): void {
    const present = changes.map(({ text, store, before }) => {
      const row = this.rows.get(text);
      if (row !== undefined && !isSame(row.after, before)) throw mismatch(store);
      return row;
    });
    for (const [index, { text, before, after }] of changes.entries()) {
      const row = present[index];
      this.waiting += after?.length ?? 0;
      if (row !== undefined) {
        row.after = after;
        continue;
      }
      this.rows.set(text, { before, after });
      this.waiting += text.length + (before?.length ?? 0);
    }
  }

  /** Iterates over the writes of the next commit in LMDB key order. Skips rows that have their old value again. */
  *writes(): IterableIterator<RowWrite> {
    for (const [text, { before, after }] of this.rows.entries()) {
      if (isSame(before, after)) continue;
      yield { ordered: Buffer.from(text, 'latin1'), before, after };
    }
  }

  /** Must be called after the commit. */
  clear(): void {
    this.rows.clear();
    this.waiting = 0;
  }
}

/**
 * Returns the error for changes whose old values differ from the state. It is an internal error, and nothing has been
 * stored when it is detected.
 */
export function mismatch(store: StoreId): TronError {
  return new TronError(
    'CHANGES_MISMATCH',
    `a change of store ${storeName(store)} starts from a value that the row does not have`,
  );
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equalBytes(a, b);
}
