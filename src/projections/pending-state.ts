import { equalBytes } from '../log/domain/bytes.js';
import { TronError } from '../log/domain/errors.js';
import { mergeRows, type OverlaidRow } from './merge-rows.js';
import { keyOfOrdered, orderedRange, orderedText } from './ordered-key.js';
import { SortedRows } from './sorted-rows.js';
import type { RowWrite, StateDatabase } from './state-database.js';
import type { RangeOptions, Row, RowChange, StateReader } from './state-reader.js';
import type { StoreId } from './stores.js';

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

  *range(store: StoreId, options: RangeOptions = {}): IterableIterator<Row> {
    if (this.rows.size === 0) {
      yield* this.database.range(store, options);
      return;
    }
    const { limit: _, ...unlimited } = options;
    yield* mergeRows(store, this.database.range(store, unlimited), this.overlay(store, unlimited), options);
  }

  /** Takes over what a block did. @throws {TronError} CHANGES_MISMATCH when a `before` is not the present value: then nothing is taken. */
  apply(changes: Iterable<RowChange>): void {
    const accepted = [...changes];
    for (const { store, key, before } of accepted) {
      const present = this.get(store, key);
      if (present === undefined ? before === undefined : before !== undefined && equalBytes(present, before)) continue;
      throw new TronError(
        'CHANGES_MISMATCH',
        `a change of store ${store} starts from a value that the row does not have`,
      );
    }
    for (const { store, key, before, after } of accepted) this.write(orderedText(store, key), before, after);
  }

  /** What a state commit has to write, in LMDB's key order; rows that came back to their old value are left out. */
  *writes(): IterableIterator<RowWrite> {
    for (const [text, { before, after }] of this.rows.entries()) {
      if (before === undefined ? after === undefined : after !== undefined && equalBytes(before, after)) continue;
      yield { ordered: Buffer.from(text, 'latin1'), before, after };
    }
  }

  /** After the commit. */
  clear(): void {
    this.rows.clear();
    this.waiting = 0;
  }

  private write(text: string, before: Uint8Array | undefined, after: Uint8Array | undefined): void {
    const row = this.rows.get(text);
    this.waiting += (after?.length ?? 0) - (row?.after?.length ?? 0);
    if (row !== undefined) {
      row.after = after;
      return;
    }
    this.rows.set(text, { before, after });
    this.waiting += text.length + (before?.length ?? 0);
  }

  private *overlay(store: StoreId, options: RangeOptions): IterableIterator<OverlaidRow> {
    const bounds = orderedRange(store, options);
    for (const [text, { after }] of this.rows.range(bounds)) {
      const key = keyOfOrdered(Buffer.from(text, 'latin1'));
      if (bounds.prefix !== undefined && !equalBytes(key.subarray(0, bounds.prefix.length), bounds.prefix)) continue;
      yield { key, value: after };
    }
  }
}
