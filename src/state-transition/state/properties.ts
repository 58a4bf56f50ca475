import { EMPTY_BYTES, fromHex, fromInt64, toHex, toInt64, utf8 } from '../../primitives/bytes.js';
import type { RowCodec } from '../../projections/state/row-codecs.js';
import { type BytesProperty, type LongProperty, propertyRows } from '../parameters/property-table.js';
import type { Table, TableEntry } from './table.js';

/** Decoded variables of the chain. Writes are recorded in the journal like those of other rows. */
export class Properties {
  private readonly rows: Table<bigint | Uint8Array>;
  /**
   * Cache of table entries by property name. A transaction reads about sixty properties, and the lookup of an entry
   * takes longer than reading its value.
   */
  private readonly entries = new Map<string, TableEntry<bigint | Uint8Array>>();
  private generation = 0;

  /** Values from the configuration, for properties that have no row. */
  private readonly configured: ReadonlyMap<LongProperty, bigint>;

  constructor(rows: Table<bigint | Uint8Array>, configured: ReadonlyMap<LongProperty, bigint>) {
    this.rows = rows;
    this.configured = configured;
  }

  /** Returns a property with an integer value. If the property has no row, returns its default. */
  get(name: LongProperty): bigint {
    const { value } = this.entry(name);
    return value === undefined ? this.whenAbsent(name) : (value as bigint);
  }

  /** Returns the default of a property that has no row. */
  whenAbsent(name: LongProperty): bigint {
    return this.configured.get(name) ?? absent[name] ?? 0n;
  }

  private entry(name: LongProperty): TableEntry<bigint | Uint8Array> {
    if (this.generation !== this.rows.generation) {
      this.entries.clear();
      this.generation = this.rows.generation;
    }
    let entry = this.entries.get(name);
    if (entry === undefined) {
      entry = this.rows.entry(keys[name]);
      this.entries.set(name, entry);
    }
    return entry;
  }

  /** Returns a detector for changes of these properties. */
  watch(names: readonly LongProperty[]): PropertyWatch {
    return new PropertyWatch(this.rows, names);
  }

  /** Returns a property as a number. Only for values below 2^53: heights, times in ms, slots, counts. */
  number(name: LongProperty): number {
    return Number(this.get(name));
  }

  /** Returns true if the value of a property is exactly 1. */
  isOn(name: LongProperty): boolean {
    return this.get(name) === 1n;
  }

  set(name: LongProperty, value: bigint): void {
    this.rows.put(keys[name], BigInt.asIntN(64, value));
  }

  /** Adds to a property without an overflow check, as Java's `+` does. */
  add(name: LongProperty, delta: bigint): void {
    this.set(name, this.get(name) + delta);
  }

  bytes(name: BytesProperty): Uint8Array {
    return (this.rows.get(keys[name]) as Uint8Array | undefined) ?? EMPTY_BYTES;
  }

  setBytes(name: BytesProperty, value: Uint8Array): void {
    this.rows.put(keys[name], value);
  }

  /**
   * Returns the statistics of a block version, one byte per active witness. A byte is 1 if the witness has produced a
   * block with this version. Undefined if no block with this version was counted yet.
   */
  forkStats(version: number): Uint8Array | undefined {
    return this.rows.get(forkKey(version)) as Uint8Array | undefined;
  }

  setForkStats(version: number, stats: Uint8Array): void {
    this.rows.put(forkKey(version), stats);
  }

  /** Writes a row by its hexadecimal key. Used to create the rows of a new chain. */
  putRaw(key: string, value: bigint | Uint8Array): void {
    this.rows.put(key, value);
  }

  /** Returns true if a property has a row. Some rules distinguish a missing row from zero. */
  has(name: LongProperty | BytesProperty): boolean {
    return this.rows.has(keys[name]);
  }

  /** Returns true if stake 2.0 is in force. Reference: supportUnfreezeDelay. */
  supportsUnfreezeDelay(): boolean {
    return this.get('UNFREEZE_DELAY_DAYS') > 0n;
  }

  supportsBlackHoleOptimization(): boolean {
    return this.isOn('ALLOW_BLACKHOLE_OPTIMIZATION');
  }
}

/**
 * Detects changes of a set of properties. Compares cached table entries, because a lookup by name for each property
 * would take longer.
 */
export class PropertyWatch {
  private readonly rows: Table<bigint | Uint8Array>;
  private readonly names: readonly LongProperty[];
  private entries: readonly TableEntry<bigint | Uint8Array>[] = [];
  private values: readonly (bigint | Uint8Array | undefined)[] = [];
  private generation = -1;

  constructor(rows: Table<bigint | Uint8Array>, names: readonly LongProperty[]) {
    this.rows = rows;
    this.names = names;
  }

  /** Returns true if a property may have changed since the last call. Always true for the first call. */
  hasChanged(): boolean {
    if (this.generation === this.rows.generation) {
      const { entries, values } = this;
      if (entries.every(({ value }, at) => value === values[at])) return false;
    }
    // The generation must be read before the lookups below. If a lookup evicts cached entries, it increments the
    // generation, and the next call then looks up the entries again.
    this.generation = this.rows.generation;
    this.entries = this.names.map((name) => this.rows.entry(keys[name]));
    this.values = this.entries.map(({ value }) => value);
    return true;
  }
}

/**
 * Store keys that differ from the property name. In java-tron, this key has a leading space. Reference:
 * DynamicPropertiesStore.
 */
const ODD_KEYS: Readonly<Record<string, string>> = { ALLOW_SAME_TOKEN_NAME: ' ALLOW_SAME_TOKEN_NAME' };

/** Key of each property in the store, in hex. */
const keys = Object.fromEntries(propertyRows.map(([name]) => [name, toHex(utf8(ODD_KEYS[name] ?? name))])) as Readonly<
  Record<LongProperty | BytesProperty, string>
>;
const absent: Readonly<Record<string, bigint | undefined>> = Object.fromEntries(
  propertyRows.map((row) => [row[0], (row as readonly unknown[])[3] as bigint | undefined]),
);
const forms: ReadonlyMap<string, string> = new Map(propertyRows.map(([name, form]) => [keys[name], form]));

function forkKey(version: number): string {
  forkKeys[version] ??= toHex(utf8(`FORK_VERSION_${version}`));
  return forkKeys[version];
}

/** Cache of keys by block version, because each transaction reads several of them. */
const forkKeys: string[] = [];

/** Returns the rows of a new chain, before configuration and genesis block are applied. */
export function initialProperties(): (readonly [key: string, value: bigint | Uint8Array])[] {
  return propertyRows.flatMap(([name, , initial]) => {
    if (initial === undefined) return [];
    const value = typeof initial === 'bigint' ? initial : initialBytes(initial);
    return [[keys[name], value] as const];
  });
}

function initialBytes(text: string): Uint8Array {
  return text.startsWith('hex:') ? fromHex(text.slice(4)) : utf8(text);
}

export const propertyCodec: RowCodec<bigint | Uint8Array> = {
  decode: (bytes, key) => (forms.get(key) === undefined || forms.get(key) === 'bytes' ? bytes : toInt64(bytes)),
  encode: (value, key) => {
    if (typeof value !== 'bigint') return value;
    return forms.get(key) === 'int32' ? fromInt64(value).subarray(4) : fromInt64(value);
  },
  clone: (value) => value,
};
