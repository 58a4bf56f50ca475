import { join } from 'node:path';
import { type BytesTable, type Environment, KEY_BYTES_MAX, openEnvironment } from '../../log/lmdb/environment.js';
import { NO_HASH } from '../../log/log-entry.js';
import { equalBytes, toHex } from '../../primitives/bytes.js';
import { DamageError } from '../../primitives/errors.js';
import { keyOfOrdered, type OrderedRange, orderedKey, orderedRange } from './ordered-key.js';
import { CHECKSUM_BYTES, rowChecksum } from './row-checksum.js';
import { decodeStateCursor, encodeStateCursor, type StateCursor, type StoreTotals } from './state-cursor.js';
import type { RangeOptions, StateReader, StateRow } from './state-reader.js';
import { type StoreId, storeName } from './stores.js';

/** A row write of a state commit. Commits contain writes in LMDB key order. `before` is the expected stored value. */
export interface RowWrite {
  readonly ordered: Uint8Array;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/** Progress of loading a base (an imported state) into a new state. */
export interface BaseProgress {
  readonly store: StoreId;
  /** Number of parts of the store's file that are already loaded (see `BasePart`). */
  readonly parts: number;
  readonly totals: StoreTotals;
}

const CURSOR_KEY = Buffer.from('cursor');
/**
 * Key of the loading progress. This row exists only while a base (an imported state) is loaded. The database then has
 * no cursor, because the rows are not a valid state.
 */
const LOADING_KEY = Buffer.from('loading');

/** The rows in `<data>/state`, and their log position. */
export class StateDatabase implements StateReader {
  readonly environment: Environment;
  readonly file: string;
  private readonly rows: BytesTable;
  private readonly meta: BytesTable;

  constructor(dataDir: string, options: { readonly readOnly: boolean; readonly folder?: string }) {
    const folder = join(dataDir, options.folder ?? 'state');
    this.environment = openEnvironment(folder, options);
    this.file = join(folder, 'data.mdb');
    this.rows = this.environment.table('rows');
    this.meta = this.environment.table('meta');
  }

  get(store: StoreId, key: Uint8Array): Uint8Array | undefined {
    return this.getOrdered(orderedKey(store, key));
  }

  getOrdered(ordered: Uint8Array): Uint8Array | undefined {
    // API clients choose keys. A key that is too long for LMDB has no row.
    if (ordered.length > KEY_BYTES_MAX) return undefined;
    const bytes = this.rows.getBinary(ordered);
    return bytes && this.checked(ordered, bytes);
  }

  range(store: StoreId, options?: RangeOptions): IterableIterator<StateRow> {
    return this.rangeOrdered(orderedRange(store, options));
  }

  *rangeOrdered({ low, high, reverse, limit, prefix }: OrderedRange): IterableIterator<StateRow> {
    const [lowKey, highKey] = [low, high].map((bound) => Buffer.from(bound.slice(0, KEY_BYTES_MAX), 'latin1')) as [
      Buffer,
      Buffer,
    ];
    let left = limit;
    if (left <= 0 || low >= high) return;
    for (const { key, value } of this.rows.getRange(
      reverse ? { start: highKey, reverse } : { start: lowKey, end: highKey },
    )) {
      const ordered = key as Buffer;
      if (reverse && ordered.compare(highKey) >= 0) continue;
      if (reverse && ordered.compare(lowKey) < 0) return;
      const storeKey = keyOfOrdered(ordered);
      if (prefix !== undefined && !equalBytes(storeKey.subarray(0, prefix.length), prefix)) continue;
      yield { key: storeKey, value: this.checked(ordered, value) };
      if (--left <= 0) return;
    }
  }

  /** Returns true if the stored cursor equals these bytes. */
  isAt(cursor: Uint8Array): boolean {
    // LMDB reuses this buffer. Only its first bytes, up to the returned length, are the value.
    const bytes = this.meta.getBinaryFast(CURSOR_KEY);
    return bytes !== undefined && equalBytes(bytes.subarray(0, bytes.length), cursor);
  }

  /** Returns the encoded cursor, for {@link isAt}. */
  cursorBytes(): Uint8Array | undefined {
    return this.meta.getBinary(CURSOR_KEY);
  }

  /** Returns the log position of the rows; undefined for a new database. @throws {DamageError} the cursor is corrupt */
  cursor(): StateCursor | undefined {
    const bytes = this.meta.getBinary(CURSOR_KEY);
    if (bytes === undefined) return undefined;
    const cursor = decodeStateCursor(bytes);
    if (cursor === undefined) throw stateDamage(this.file, 'its cursor is corrupt');
    return cursor;
  }

  /**
   * Returns the first write whose `before` differs from the stored value; undefined if all match. Compares only the
   * checksums of both values. Must be called before any row of the batch is written.
   */
  findMismatch(writes: readonly RowWrite[]): RowWrite | undefined {
    return writes.find(({ ordered, before }) => {
      const stored = this.rows.getBinaryFast(ordered);
      if (stored === undefined || before === undefined) return stored !== before;
      const end = stored.length - CHECKSUM_BYTES;
      return end < 0 || stored.readBigUInt64LE(end) !== rowChecksum(ordered, before);
    });
  }

  /**
   * Writes rows and cursor in one transaction, flushed to disk.
   * @param totals totals of the stores before the writes
   * @returns the totals after the writes
   */
  commit(writes: readonly RowWrite[], cursor: Omit<StateCursor, 'totals'>, totals: StoreTotals): StoreTotals {
    const next = new Map(totals);
    this.environment.commit(() => {
      for (const write of writes) this.write(write, next);
      this.meta.putSync(CURSOR_KEY, encodeStateCursor({ ...cursor, totals: next }));
    });
    return next;
  }

  /**
   * Returns the progress of an interrupted load; undefined for a new database.
   * @throws {DamageError} the stored progress is corrupt
   */
  baseProgress(): BaseProgress | undefined {
    const bytes = this.meta.getBinary(LOADING_KEY);
    const stored = bytes && decodeStateCursor(bytes);
    if (bytes !== undefined && stored === undefined) throw stateDamage(this.file, 'its cursor is corrupt');
    return stored && { store: stored.number as StoreId, parts: stored.seq, totals: stored.totals };
  }

  /**
   * Inserts new rows in one transaction. If `isAscending`, appends them, which is faster.
   * @param progress the progress to store with the rows, except that `totals` does not contain these rows yet
   * @param rows function that calls its argument for each row
   * @returns the progress after this call
   */
  loadRows(
    progress: BaseProgress,
    isAscending: boolean,
    rows: (put: (ordered: Uint8Array, value: Uint8Array) => void) => void,
  ): BaseProgress {
    const totals = new Map(progress.totals);
    const start = totals.get(progress.store) ?? { rows: 0, sum: 0n };
    let count = start.rows;
    let sum = start.sum;
    let scratch = Buffer.allocUnsafeSlow(4096);
    this.environment.commit(() => {
      rows((ordered, value) => {
        const length = value.length + CHECKSUM_BYTES;
        if (length > scratch.length) scratch = Buffer.allocUnsafeSlow(2 * length);
        const check = rowChecksum(ordered, value);
        scratch.set(value, 0);
        scratch.writeBigUInt64LE(check, value.length);
        sum += check;
        count++;
        const bytes = scratch.subarray(0, length);
        if (isAscending) this.rows.appendSync(ordered, bytes);
        else this.rows.putSync(ordered, bytes);
      });
      totals.set(progress.store, { rows: count, sum: BigInt.asUintN(64, sum) });
      const position = { seq: progress.parts, number: progress.store, id: NO_HASH, digest: NO_HASH };
      this.meta.putSync(LOADING_KEY, encodeStateCursor({ ...position, totals }));
    });
    return { ...progress, totals };
  }

  /** Completes a load. The rows are then a valid state. */
  finishBase(cursor: Omit<StateCursor, 'totals'>, totals: StoreTotals): StoreTotals {
    this.environment.commit(() => {
      this.meta.removeSync(LOADING_KEY);
      this.meta.putSync(CURSOR_KEY, encodeStateCursor({ ...cursor, totals }));
    });
    return totals;
  }

  close(): Promise<void> {
    return this.environment.close();
  }

  private write({ ordered, before, after }: RowWrite, totals: Map<StoreId, { rows: number; sum: bigint }>): void {
    const store = ordered[0] as StoreId;
    const total = totals.get(store) ?? { rows: 0, sum: 0n };
    let { rows, sum } = total;
    if (before !== undefined) {
      rows--;
      sum -= rowChecksum(ordered, before);
    }
    if (after !== undefined) {
      rows++;
      const bytes = Buffer.allocUnsafe(after.length + CHECKSUM_BYTES);
      const check = rowChecksum(ordered, after);
      bytes.set(after, 0);
      bytes.writeBigUInt64LE(check, after.length);
      sum += check;
      this.rows.putSync(ordered, bytes);
    } else {
      this.rows.removeSync(ordered);
    }
    totals.set(store, { rows, sum: BigInt.asUintN(64, sum) });
  }

  private checked(ordered: Uint8Array, bytes: Buffer): Uint8Array {
    const length = bytes.length - CHECKSUM_BYTES;
    const value = bytes.subarray(0, Math.max(0, length));
    if (length < 0 || bytes.readBigUInt64LE(length) !== rowChecksum(ordered, value)) {
      throw stateDamage(this.file, `${describeRow(ordered)} is corrupt`);
    }
    return value;
  }
}

/** Returns the error for a damaged state. */
export function stateDamage(file: string, finding: string): DamageError {
  return new DamageError(`${file} is damaged: ${finding}; rebuild the state with 'tronicle replay'`);
}

/** Returns key (hex) and store of an ordered key, for messages. */
export function describeRow(ordered: Uint8Array): string {
  return `row ${toHex(keyOfOrdered(ordered))} of store ${storeName(ordered[0] as StoreId)}`;
}
