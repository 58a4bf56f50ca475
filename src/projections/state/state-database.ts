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

/** A row as the state commit writes it, in LMDB's key order; `before` is what must be stored now. */
export interface RowWrite {
  readonly ordered: Uint8Array;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/** How far the rows of a base have come into a new state. */
export interface BaseProgress {
  readonly store: StoreId;
  /** Parts of that store's file. */
  readonly parts: number;
  readonly totals: StoreTotals;
}

const CURSOR_KEY = Buffer.from('cursor');
/** Only while a base is loaded: without a cursor the rows are no state yet. */
const LOADING_KEY = Buffer.from('loading');

/** The rows in `<data>/state`, with the place in the log that they stand at. */
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
    // Callers of the APIs choose keys: a longer one than can be stored is simply not there.
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

  /** Whether the rows still stand where these bytes of a cursor say. */
  isAt(cursor: Uint8Array): boolean {
    // A buffer that LMDB uses again: only its first `length` bytes are the value.
    const bytes = this.meta.getBinaryFast(CURSOR_KEY);
    return bytes !== undefined && equalBytes(bytes.subarray(0, bytes.length), cursor);
  }

  /** The cursor as it is stored, for {@link isAt}. */
  cursorBytes(): Uint8Array | undefined {
    return this.meta.getBinary(CURSOR_KEY);
  }

  /** Where in the log these rows stand, `undefined` in a new database. @throws {DamageError} */
  cursor(): StateCursor | undefined {
    const bytes = this.meta.getBinary(CURSOR_KEY);
    if (bytes === undefined) return undefined;
    const cursor = decodeStateCursor(bytes);
    if (cursor === undefined) throw stateDamage(this.file, 'its cursor is not what was written');
    return cursor;
  }

  /**
   * Finds a write whose `before` is not what is stored (by its checksum), before anything of the batch is written
   * anywhere.
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
   * Writes rows and cursor as one transaction, flushed. Returns the counts and checksum sums, which go on from
   * `totals`.
   */
  commit(writes: readonly RowWrite[], cursor: Omit<StateCursor, 'totals'>, totals: StoreTotals): StoreTotals {
    const next = new Map(totals);
    this.environment.commit(() => {
      for (const write of writes) this.write(write, next);
      this.meta.putSync(CURSOR_KEY, encodeStateCursor({ ...cursor, totals: next }));
    });
    return next;
  }

  /** Where a load that was cut short goes on, `undefined` in a new database. @throws {DamageError} */
  baseProgress(): BaseProgress | undefined {
    const bytes = this.meta.getBinary(LOADING_KEY);
    const stored = bytes && decodeStateCursor(bytes);
    if (bytes !== undefined && stored === undefined) throw stateDamage(this.file, 'its cursor is not what was written');
    return stored && { store: stored.number as StoreId, parts: stored.seq, totals: stored.totals };
  }

  /**
   * Puts rows that are not there yet, as one transaction; ascending ones behind all others.
   * @param progress where the load stands after it, but for the totals @param rows gives each row to what it is called
   * with
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
      const place = { seq: progress.parts, number: progress.store, id: NO_HASH, digest: NO_HASH };
      this.meta.putSync(LOADING_KEY, encodeStateCursor({ ...place, totals }));
    });
    return { ...progress, totals };
  }

  /** All rows are there: from here on it is a state. */
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
      throw stateDamage(this.file, `${describeRow(ordered)} is not what was written`);
    }
    return value;
  }
}

/** The one text for damaged state. */
export function stateDamage(file: string, finding: string): DamageError {
  return new DamageError(`${file} is damaged: ${finding}; rebuild it with 'tronicle replay'`);
}

/** Key in hex and store of an ordered key, for messages. */
export function describeRow(ordered: Uint8Array): string {
  return `row ${toHex(keyOfOrdered(ordered))} of store ${storeName(ordered[0] as StoreId)}`;
}
