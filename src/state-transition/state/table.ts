import { present } from '../../primitives/assert.js';
import { equalBytes, fromHex, toHex } from '../../primitives/bytes.js';
import type { WrittenRow } from '../../projections/state/overlaid-state.js';
import type { RowCodec } from '../../projections/state/row-codecs.js';
import type { RowChange, StateReader } from '../../projections/state/state-reader.js';
import type { StoreId } from '../../projections/state/stores.js';
import type { Journal } from './journal.js';

/** Order of row keys (hex), for a store that is not in byte order. */
export type KeyOrder = (a: string, b: string) => number;

/** A cached row. Its `value` is undefined if the row does not exist or was deleted. */
export interface TableEntry<T> {
  readonly table: Table<T>;
  readonly key: string;
  value: T | undefined;
  /** Epoch of the journal in which `value` was copied. In a newer epoch, `value` is copied again before a write. */
  epoch: number;
  /** Bytes of the row at the last commit; undefined if the row did not exist. */
  committed: Uint8Array | undefined;
}

/**
 * Maximum number of decoded rows in a generation of the cache. Two generations are cached across blocks. 65,536
 * accounts take about 60 MB. This is enough for the accounts that were used on the busiest day.
 */
const GENERATION_ROWS = 1 << 16;
/**
 * Maximum number of keys in all cached ranges of a table. These keys take at most 6 MB, because they are stored in
 * hex.
 */
const RANGES_KEYS_MAX = 1 << 16;
/** Maximum number of keys in a cached range. Each block reads the range of all witnesses, about 450 on the main net. */
const RANGE_KEYS_MAX = 1 << 12;
const FOUND_BEFORE = 'the rules found this row before';

/** An encoded row. */
interface StoredRow {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A table with rows of any type. */
export type AnyTable = Pick<Table<unknown>, 'store' | 'writtenKeys' | 'commit' | 'reset'>;

/** Rows of one store. A row is decoded once, written through the journal, and encoded once per block. */
export class Table<T> {
  readonly store: StoreId;
  private readonly codec: RowCodec<T>;
  private readonly journal: Journal;
  private reader: StateReader;
  private young = new Map<string, TableEntry<T>>();
  private old = new Map<string, TableEntry<T>>();
  private readonly dirty = new Set<TableEntry<T>>();
  private readonly compare: KeyOrder | undefined;
  /** Rows that `removeAll` deleted without a cache entry for each row. */
  private removedRows: readonly StoredRow[] | undefined;
  /** One cache entry that represents all rows of `removedRows` in the journal. */
  private readonly restEntry: TableEntry<unknown>;
  /** Cache entries that were created after `removeAll`, for rows that `removeAll` may have deleted. */
  private readonly late = new Set<TableEntry<T>>();
  /** Incremented when entries that `entry` returned earlier may be stale. */
  generation = 0;
  /** Keys of ranges, by prefix. Cleared when a row is added or deleted. */
  private readonly ranges = new Map<string, readonly string[]>();
  /** Number of keys in `ranges`. */
  private rangesKeys = 0;

  constructor(store: StoreId, codec: RowCodec<T>, journal: Journal, reader: StateReader, compare?: KeyOrder) {
    this.store = store;
    this.codec = codec;
    this.journal = journal;
    this.reader = reader;
    this.compare = compare;
    this.restEntry = { table: this as Table<unknown>, key: '', value: undefined, epoch: -1, committed: undefined };
  }

  /** Returns a row, which must not be modified; undefined if it does not exist. */
  get(key: string): T | undefined {
    return this.entry(key).value;
  }

  has(key: string): boolean {
    return this.entry(key).value !== undefined;
  }

  /** Returns the entry of a row. Callers may cache the entry until `generation` changes, and must not modify it. */
  entry(key: string): TableEntry<T> {
    const young = this.young.get(key);
    if (young !== undefined) return young;
    const entry = this.old.get(key) ?? this.load(key);
    this.young.set(key, entry);
    return entry;
  }

  /** Returns a row that may be modified in place. The journal can revert the change. Undefined if it does not exist. */
  toWrite(key: string): T | undefined {
    const entry = this.entry(key);
    if (entry.value === undefined) return undefined;
    if (entry.epoch !== this.journal.epoch) this.open(entry, this.codec.clone(entry.value));
    return entry.value;
  }

  /**
   * Returns a row that must exist, because the caller has found it before. The row must not be modified.
   * @throws {AssertionError} the row does not exist, which is a bug in Tronicle
   */
  existing(key: string): T {
    return present(this.get(key), FOUND_BEFORE);
  }

  /**
   * Returns a row that must exist, for modification in place.
   * @throws {AssertionError} the row does not exist, which is a bug in Tronicle
   */
  existingToWrite(key: string): T {
    return present(this.toWrite(key), FOUND_BEFORE);
  }

  put(key: string, value: T): void {
    const entry = this.entry(key);
    if (entry.epoch !== this.journal.epoch) this.open(entry, value);
    else this.set(entry, value);
  }

  delete(key: string): void {
    const entry = this.entry(key);
    if (entry.value === undefined) return;
    // Adds a journal record even if this epoch already has one for the row, because `deletedSince` returns the value
    // before the deletion.
    this.open(entry, undefined);
  }

  /**
   * Iterates over the rows under a prefix (hex) in key order, including uncommitted ones. The rows must not be
   * modified.
   */
  *range(prefix = ''): Generator<readonly [key: string, value: T]> {
    const read = this.ranges.get(prefix);
    if (read !== undefined) {
      // Collects the rows first, because the caller may write during the iteration.
      yield* read.map((key) => [key, this.existing(key)] as const);
      return;
    }
    const rows = new Map<string, T | undefined>();
    for (const row of this.reader.range(this.store, { prefix: fromHex(prefix) })) {
      const key = toHex(row.key);
      const entry = this.known(key);
      if (entry === undefined && this.removedRows !== undefined) continue;
      rows.set(key, entry?.value ?? this.codec.decode(row.value, key));
    }
    let added = false;
    for (const { key, value } of this.dirty) {
      if (!key.startsWith(prefix)) continue;
      added ||= !rows.has(key);
      rows.set(key, value);
    }
    const keys = added ? [...rows.keys()].sort(this.compare) : [...rows.keys()];
    if (this.dirty.size === 0 && this.removedRows === undefined) this.keepRange(prefix, keys);
    for (const key of keys) {
      const value = rows.get(key);
      if (value !== undefined) yield [key, value];
    }
  }

  /**
   * Deletes all rows. Rows without a cache entry are decoded one by one without creating an entry, because a million
   * entries would take 1 GB.
   * @param take called with the value of each row before the deletion
   */
  removeAll(take: (value: T) => void): void {
    const takeEntry = ({ key, value }: TableEntry<T>): void => {
      if (value === undefined) return;
      take(value);
      this.delete(key);
    };
    // Rows that were written in this block are not in the store yet.
    for (const entry of [...this.dirty]) takeEntry(entry);
    if (this.removedRows !== undefined) return;
    const rest: StoredRow[] = [];
    for (const row of this.reader.range(this.store)) {
      const key = toHex(row.key);
      const entry = this.known(key);
      if (entry !== undefined) takeEntry(entry);
      else {
        take(this.codec.decode(row.value, key));
        rest.push({ key: Buffer.from(row.key), value: Buffer.from(row.value) });
      }
    }
    this.journal.recordWith(this.restEntry, () => this.restoreAll());
    this.removedRows = rest;
    this.forgetRanges();
  }

  /** Returns the rows of an entry, encoded with their current values. The entry `restEntry` represents several rows. */
  *stored(entry: TableEntry<T>): Generator<WrittenRow> {
    if ((entry as TableEntry<unknown>) === this.restEntry) {
      for (const { key } of this.rowsWithoutEntry()) yield { store: this.store, key, value: undefined };
      return;
    }
    const { key, value } = entry;
    const bytes = value === undefined ? undefined : this.codec.encode(value, key);
    yield { store: this.store, key: fromHex(key), value: bytes };
  }

  /** Returns the keys of rows written since the last commit, including rows whose writes were reverted. */
  *writtenKeys(): Generator<string> {
    for (const { key } of this.dirty) yield key;
    for (const { key } of this.rowsWithoutEntry()) yield toHex(key);
  }

  /**
   * Appends the rows whose bytes changed since the last commit, and makes the new bytes the committed ones. Called by
   * `State.commit`.
   */
  commit(changes: RowChange[]): void {
    for (const entry of this.dirty) {
      const before = entry.committed;
      const after = entry.value === undefined ? undefined : this.codec.encode(entry.value, entry.key);
      if (before === undefined ? after === undefined : after !== undefined && equalBytes(before, after)) continue;
      changes.push({ store: this.store, key: fromHex(entry.key), before, after });
      entry.committed = after;
    }
    for (const { key, value } of this.rowsWithoutEntry())
      changes.push({ store: this.store, key, before: value, after: undefined });
    this.dirty.clear();
    if (this.removedRows !== undefined) this.evictAll();
    else this.evictOldest();
  }

  /** Discards all decoded rows, and continues with another reader. */
  reset(reader: StateReader): void {
    this.reader = reader;
    this.dirty.clear();
    this.forgetRanges();
    this.evictAll();
  }

  private evictAll(): void {
    this.removedRows = undefined;
    this.late.clear();
    this.young.clear();
    this.old.clear();
    this.generation++;
  }

  /** Returns the rows of `removedRows` for which no cache entry was created afterwards. */
  private *rowsWithoutEntry(): Generator<StoredRow> {
    for (const row of this.removedRows ?? [])
      if (this.late.size === 0 || this.known(toHex(row.key)) === undefined) yield row;
  }

  /**
   * Reverts `removeAll`. Deletes the entries created after `removeAll`. All writes after `removeAll` must already be
   * reverted.
   */
  private restoreAll(): void {
    this.removedRows = undefined;
    for (const entry of this.late) {
      this.young.delete(entry.key);
      this.old.delete(entry.key);
      this.dirty.delete(entry);
    }
    this.late.clear();
    this.generation++;
  }

  private open(entry: TableEntry<T>, value: T | undefined): void {
    this.journal.record(entry as TableEntry<unknown>);
    this.set(entry, value);
    entry.epoch = this.journal.epoch;
    this.dirty.add(entry);
  }

  private set(entry: TableEntry<T>, value: T | undefined): void {
    if ((entry.value === undefined) !== (value === undefined)) this.forgetRanges();
    entry.value = value;
  }

  /**
   * Caches the keys of a range. Must not be called while a row has uncommitted changes, because the cache would not
   * detect that these changes are reverted.
   */
  private keepRange(prefix: string, keys: readonly string[]): void {
    // An empty range counts as one key, so that the number of empty ranges is limited too.
    const size = Math.max(1, keys.length);
    if (size > RANGE_KEYS_MAX) return;
    if (this.rangesKeys + size > RANGES_KEYS_MAX) this.forgetRanges();
    this.ranges.set(prefix, keys);
    this.rangesKeys += size;
  }

  private forgetRanges(): void {
    if (this.rangesKeys === 0) return;
    this.ranges.clear();
    this.rangesKeys = 0;
  }

  private known(key: string): TableEntry<T> | undefined {
    return this.young.get(key) ?? this.old.get(key);
  }

  /**
   * Drops the older generation of entries. Must not be called while a row has uncommitted changes, because the
   * entries of written rows must not be dropped.
   */
  private evictOldest(): void {
    if (this.young.size <= GENERATION_ROWS) return;
    this.old = this.young;
    this.young = new Map();
    this.generation++;
  }

  private load(key: string): TableEntry<T> {
    if (this.dirty.size === 0) this.evictOldest();
    const committed = this.reader.get(this.store, fromHex(key));
    const entry: TableEntry<T> = { table: this, key, value: undefined, epoch: -1, committed };
    if (this.removedRows !== undefined) this.noteLate(entry);
    else if (committed !== undefined) entry.value = this.codec.decode(committed, key);
    return entry;
  }

  /**
   * Records a cache entry created after `removeAll`. The entry counts as changed, because `removeAll` has deleted its
   * row.
   */
  private noteLate(entry: TableEntry<T>): void {
    this.late.add(entry);
    this.dirty.add(entry);
  }
}
