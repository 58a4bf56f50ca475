import { equalBytes, fromHex, toHex } from '../../log/domain/bytes.js';
import type { WrittenRow } from '../../projections/overlaid-state.js';
import type { RowChange, StateReader } from '../../projections/state-reader.js';
import type { StoreId } from '../../projections/stores.js';
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
export interface Entry<T> {
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

/** Rows of one store: decoded once, written through the journal, encoded once per block. */
export class Table<T> {
  readonly store: StoreId;
  private readonly codec: RowCodec<T>;
  private readonly journal: Journal;
  private reader: StateReader;
  private young = new Map<string, Entry<T>>();
  private old = new Map<string, Entry<T>>();
  private readonly dirty = new Set<Entry<T>>();
  private readonly compare: KeyOrder | undefined;
  private isTaken = false;
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
  }

  /** The row, for reading only; undefined when absent. */
  get(key: string): T | undefined {
    return this.entry(key).value;
  }

  has(key: string): boolean {
    return this.entry(key).value !== undefined;
  }

  /** The row's place in the table, which whoever reads it often may keep as long as `generation` stays. For reading only. */
  entry(key: string): Entry<T> {
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

  put(key: string, value: T): void {
    const entry = this.entry(key);
    if (entry.epoch !== this.journal.epoch) this.open(entry, value);
    else entry.value = value;
  }

  delete(key: string): void {
    const entry = this.entry(key);
    if (entry.value === undefined) return;
    if (entry.epoch !== this.journal.epoch) this.open(entry, undefined);
    else entry.value = undefined;
  }

  /** Rows under a prefix (hex) in the store's order of keys, written ones included. For reading only. */
  *range(prefix = ''): Generator<readonly [key: string, value: T]> {
    const read = this.ranges.get(prefix);
    if (read !== undefined) {
      // All at once: who reads may write.
      yield* read.map((key) => [key, this.get(key)!] as const);
      return;
    }
    const rows = new Map<string, T | undefined>();
    for (const row of this.reader.range(this.store, { prefix: fromHex(prefix) })) {
      const key = toHex(row.key);
      rows.set(key, this.known(key)?.value ?? this.codec.decode(row.value, key));
    }
    let added = false;
    for (const { key, value } of this.dirty) {
      if (!key.startsWith(prefix)) continue;
      added ||= !rows.has(key);
      rows.set(key, value);
    }
    const keys = added ? [...rows.keys()].sort(this.compare) : [...rows.keys()];
    if (this.dirty.size === 0) this.keepRange(prefix, keys);
    for (const key of keys) {
      const value = rows.get(key);
      if (value !== undefined) yield [key, value];
    }
  }

  /**
   * Deletes every row, and gives what each was, in the order of the keys; each is read and decoded once. What is read for it does not
   * stay decoded beyond this block.
   */
  takeAll(): T[] {
    this.isTaken = true;
    const keys: string[] = [];
    for (const row of this.reader.range(this.store)) {
      const key = toHex(row.key);
      keys.push(key);
      if (this.known(key) !== undefined) continue;
      const committed = Buffer.from(row.value);
      const value = this.codec.decode(committed, key);
      this.young.set(key, { table: this, key, value, epoch: -1, committed });
    }
    // Rows of this block come among those that were stored.
    const added = [...this.dirty].filter(({ committed }) => committed === undefined).map(({ key }) => key);
    if (added.length > 0) keys.push(...added.filter((key) => this.get(key) !== undefined));
    const taken: T[] = [];
    for (const key of added.length > 0 ? [...new Set(keys)].sort(this.compare) : keys) {
      const { value } = this.entry(key);
      if (value === undefined) continue;
      taken.push(value);
      this.delete(key);
    }
    return taken;
  }

  /** A row as it would be stored now. */
  stored({ key, value }: Entry<T>): WrittenRow {
    return {
      store: this.store,
      key: fromHex(key),
      value: value === undefined ? undefined : this.codec.encode(value, key),
    };
  }

  /** Keys written since the last commit, those taken back by the journal included. */
  *writtenKeys(): Generator<string> {
    for (const { key } of this.dirty) yield key;
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
    this.dirty.clear();
    this.ranges.clear();
    if (this.isTaken) this.forgetAll();
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
    this.isTaken = false;
    this.young.clear();
    this.old.clear();
    this.generation++;
  }

  private open(entry: Entry<T>, value: T | undefined): void {
    this.journal.record(entry as Entry<unknown>);
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

  private known(key: string): Entry<T> | undefined {
    return this.young.get(key) ?? this.old.get(key);
  }

  /** Only while no row is written: a written one must stay the entry that its key leads to. */
  private forgetOldest(): void {
    if (this.young.size <= GENERATION_ROWS) return;
    this.old = this.young;
    this.young = new Map();
    this.generation++;
  }

  private load(key: string): Entry<T> {
    if (this.dirty.size === 0) this.forgetOldest();
    const committed = this.reader.get(this.store, fromHex(key));
    const value = committed === undefined ? undefined : this.codec.decode(committed, key);
    return { table: this, key, value, epoch: -1, committed };
  }
}
