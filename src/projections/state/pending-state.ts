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
  /** Value on the disk. */
  readonly before: Uint8Array | undefined;
  after: Uint8Array | undefined;
}

/** The state after the newest block: the rows on the disk, and in front of them what the next commit will write. */
export class PendingState implements StateReader {
  private readonly database: StateDatabase;
  private readonly rows = new SortedRows<PendingRow>();
  private waiting = 0;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  /** About how many bytes wait. */
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
   * Takes over what a block did. @throws {TronError} CHANGES_MISMATCH when a `before` is not what waits for the row:
   * then nothing is taken. Rows that do not wait yet are compared with the disk by the commit.
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

  /** What a state commit has to write, in LMDB's key order; rows that came back to their old value are left out. */
  *writes(): IterableIterator<RowWrite> {
    for (const [text, { before, after }] of this.rows.entries()) {
      if (isSame(before, after)) continue;
      yield { ordered: Buffer.from(text, 'latin1'), before, after };
    }
  }

  /** After the commit. */
  clear(): void {
    this.rows.clear();
    this.waiting = 0;
  }
}

/**
 * The caller gave changes that do not start from the state: an error of the program, found before anything is stored.
 */
export function mismatch(store: StoreId): TronError {
  return new TronError(
    'CHANGES_MISMATCH',
    `a change of store ${storeName(store)} starts from a value that its row does not have`,
  );
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equalBytes(a, b);
}
