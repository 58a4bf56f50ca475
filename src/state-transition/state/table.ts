import { present } from '../../primitives/assert.js';
import { equalBytes, fromHex, toHex } from '../../primitives/bytes.js';
import type { WrittenRow } from '../../projections/state/overlaid-state.js';
import type { RowChange, StateReader } from '../../projections/state/state-reader.js';
import type { StoreId } from '../../projections/state/stores.js';
import type { Journal } from './journal.js';

/** How the rows of one store are read, written and copied. Keys are lower-case hex. */
export interface RowCodec<T> {
  decode(bytes: Uint8Array, key: string): T;
  encode(value: T, key: string): Uint8Array;
  /** A copy that can be changed without changing the original; the value itself when values are immutable. */
  clone(value: T): T;
}

/** Order of keys (hex) where it is not that of their bytes. */
export type KeyOrder = (a: string, b: string) => number;

/** One row as the block under execution sees it. */
export interface TableEntry<T> {
  readonly table: Table<T>;
  readonly key: string;
  value: T | undefined;
  /** Mark under which `value` was copied; older than the journal's: copy again before writing. */
  epoch: number;
  /** Bytes of the row before this block. */
  committed: Uint8Array | undefined;
}

/**
 * Decoded rows that stay across blocks. Two generations of this many rows each: 65,536 accounts are about 60 MB, which
 * holds the working set of the busiest day and bounds memory.
 */
const GENERATION_ROWS = 1 << 16;
/** Ranges that are kept, and keys of each: 6 MB of hex at the most. */
const RANGES_MAX = 1024;
const RANGE_KEYS_MAX = 64;
const FOUND_BEFORE = 'the rules have found this row before they change it';

/** A row as it is stored. */
interface StoredRow {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A table, whatever its rows hold. */
export type AnyTable = Pick<Table<unknown>, 'store' | 'writtenKeys' | 'commit' | 'reset'>;

/** Rows of one store: decoded once, written through the journal, encoded once per block. */
export class Table<T> {
  readonly store: StoreId;
  private readonly codec: RowCodec<T>;
  private readonly journal: Journal;
  private reader: StateReader;
  private young = new Map<string, TableEntry<T>>();
  private old = new Map<string, TableEntry<T>>();
  private readonly dirty = new Set<TableEntry<T>>();
  private readonly compare: KeyOrder | undefined;
  /**
   * Stored rows that were taken, and that no entry stood for; their entry in the journal; entries that were made since.
   */
  private rest: readonly StoredRow[] | undefined;
  private readonly restEntry: TableEntry<unknown>;
  private readonly late = new Set<TableEntry<T>>();
  /** Rises when entries that `entry` gave may be entries of this table no more. */
  generation = 0;
  /** Keys of short ranges that were read since the last written row, by prefix. */
  private readonly ranges = new Map<string, readonly string[]>();

  constructor(store: StoreId, codec: RowCodec<T>, journal: Journal, reader: StateReader, compare?: KeyOrder) {
    this.store = store;
    this.codec = codec;
    this.journal = journal;
    this.reader = reader;
    this.compare = compare;
    this.restEntry = { table: this as Table<unknown>, key: '', value: undefined, epoch: -1, committed: undefined };
  }

  /** The row, for reading only; undefined when absent. */
  get(key: string): T | undefined {
    return this.entry(key).value;
  }

  has(key: string): boolean {
    return this.entry(key).value !== undefined;
  }

  /**
   * The row's place in the table, which whoever reads it often may keep as long as `generation` stays. For reading
   * only.
   */
  entry(key: string): TableEntry<T> {
    const young = this.young.get(key);
    if (young !== undefined) return young;
    const entry = this.old.get(key) ?? this.load(key);
    this.young.set(key, entry);
    return entry;
  }

  /** The row, for changing in place: undone by the journal. Undefined when absent. */
  toWrite(key: string): T | undefined {
    const entry = this.entry(key);
    if (entry.value === undefined) return undefined;
    if (entry.epoch !== this.journal.epoch) this.open(entry, this.codec.clone(entry.value));
    return entry.value;
  }

  /**
   * A row that the rules have found before, for reading only.
   * @throws {AssertionError} it is absent: a defect of this program
   */
  existing(key: string): T {
    return present(this.get(key), FOUND_BEFORE);
  }

  /** As `existing`, for changing in place. @throws {AssertionError} */
  existingToWrite(key: string): T {
    return present(this.toWrite(key), FOUND_BEFORE);
  }

  put(key: string, value: T): void {
    const entry = this.entry(key);
    if (entry.epoch !== this.journal.epoch) this.open(entry, value);
    else entry.value = value;
  }

  delete(key: string): void {
    const entry = this.entry(key);
    if (entry.value === undefined) return;
    // Recorded in any case: what a row held when it was deleted is asked for.
    this.open(entry, undefined);
  }

  /** Rows under a prefix (hex) in the store's order of keys, written ones included. For reading only. */
  *range(prefix = ''): Generator<readonly [key: string, value: T]> {
    const read = this.ranges.get(prefix);
    if (read !== undefined) {
      // All at once: who reads may write.
      yield* read.map((key) => [key, this.existing(key)] as const);
      return;
    }
    const rows = new Map<string, T | undefined>();
    for (const row of this.reader.range(this.store, { prefix: fromHex(prefix) })) {
      const key = toHex(row.key);
      const entry = this.known(key);
      if (entry === undefined && this.rest !== undefined) continue;
      rows.set(key, entry?.value ?? this.codec.decode(row.value, key));
    }
    let added = false;
    for (const { key, value } of this.dirty) {
      if (!key.startsWith(prefix)) continue;
      added ||= !rows.has(key);
      rows.set(key, value);
    }
    const keys = added ? [...rows.keys()].sort(this.compare) : [...rows.keys()];
    if (this.dirty.size === 0 && this.rest === undefined) this.keepRange(prefix, keys);
    for (const key of keys) {
      const value = rows.get(key);
      if (value !== undefined) yield [key, value];
    }
  }

  /**
   * Deletes every row. Rows are decoded one by one, and of those that nobody has read no entries are made: a million of
   * them would take 1 GB.
   * @param take what each was, in no order; only while it runs
   */
  takeAll(take: (value: T) => void): void {
    const takeEntry = ({ key, value }: TableEntry<T>): void => {
      if (value === undefined) return;
      take(value);
      this.delete(key);
    };
    // Rows of this block that are not stored are known only here.
    for (const entry of [...this.dirty]) takeEntry(entry);
    if (this.rest !== undefined) return;
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
    this.journal.recordWith(this.restEntry, () => this.giveBack());
    this.rest = rest;
    this.ranges.clear();
  }

  /** Rows of an entry as they would be stored now. */
  *stored(entry: TableEntry<T>): Generator<WrittenRow> {
    if ((entry as TableEntry<unknown>) === this.restEntry) {
      for (const { key } of this.taken()) yield { store: this.store, key, value: undefined };
      return;
    }
    const { key, value } = entry;
    const bytes = value === undefined ? undefined : this.codec.encode(value, key);
    yield { store: this.store, key: fromHex(key), value: bytes };
  }

  /** Keys written since the last commit, those taken back by the journal included. */
  *writtenKeys(): Generator<string> {
    for (const { key } of this.dirty) yield key;
    for (const { key } of this.taken()) yield toHex(key);
  }

  /** Rows whose bytes differ from before; they become the new "before". Called by `State.commit`. */
  commit(changes: RowChange[]): void {
    for (const entry of this.dirty) {
      const before = entry.committed;
      const after = entry.value === undefined ? undefined : this.codec.encode(entry.value, entry.key);
      if (before === undefined ? after === undefined : after !== undefined && equalBytes(before, after)) continue;
      changes.push({ store: this.store, key: fromHex(entry.key), before, after });
      entry.committed = after;
    }
    for (const { key, value } of this.taken())
      changes.push({ store: this.store, key, before: value, after: undefined });
    this.dirty.clear();
    this.ranges.clear();
    if (this.rest !== undefined) this.forgetAll();
    else this.forgetOldest();
  }

  /** Forgets every decoded row, and reads from `reader` from now on. */
  reset(reader: StateReader): void {
    this.reader = reader;
    this.dirty.clear();
    this.ranges.clear();
    this.forgetAll();
  }

  private forgetAll(): void {
    this.rest = undefined;
    this.late.clear();
    this.young.clear();
    this.old.clear();
    this.generation++;
  }

  /** Rows that were taken, and that no entry stands for. */
  private *taken(): Generator<StoredRow> {
    for (const row of this.rest ?? []) if (this.late.size === 0 || this.known(toHex(row.key)) === undefined) yield row;
  }

  /** The taking was undone, and so was all that came behind it: entries that were made meanwhile are none any more. */
  private giveBack(): void {
    this.rest = undefined;
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
    entry.value = value;
    entry.epoch = this.journal.epoch;
    this.dirty.add(entry);
    this.ranges.clear();
  }

  /** Only while no row is written, as an undone row would not be noticed: for states that are asked again and again. */
  private keepRange(prefix: string, keys: readonly string[]): void {
    if (keys.length > RANGE_KEYS_MAX) return;
    if (this.ranges.size >= RANGES_MAX) this.ranges.clear();
    this.ranges.set(prefix, keys);
  }

  private known(key: string): TableEntry<T> | undefined {
    return this.young.get(key) ?? this.old.get(key);
  }

  /** Only while no row is written: a written one must stay the entry that its key leads to. */
  private forgetOldest(): void {
    if (this.young.size <= GENERATION_ROWS) return;
    this.old = this.young;
    this.young = new Map();
    this.generation++;
  }

  private load(key: string): TableEntry<T> {
    if (this.dirty.size === 0) this.forgetOldest();
    const committed = this.reader.get(this.store, fromHex(key));
    const entry: TableEntry<T> = { table: this, key, value: undefined, epoch: -1, committed };
    if (this.rest !== undefined) this.noteLate(entry);
    else if (committed !== undefined) entry.value = this.codec.decode(committed, key);
    return entry;
  }

  /** A row that was taken: it is written, and gone. */
  private noteLate(entry: TableEntry<T>): void {
    this.late.add(entry);
    this.dirty.add(entry);
  }
}
