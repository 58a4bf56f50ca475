import { EMPTY_BYTES, fromHex, fromInt64, toHex, toInt64, utf8 } from '../../primitives/bytes.js';
import { type BytesProperty, type LongProperty, propertyRows } from '../parameters/property-table.js';
import type { RowCodec, Table, TableEntry } from './table.js';

/** The chain's own variables, decoded; every write goes through the journal like any other row. */
export class Properties {
  private readonly rows: Table<bigint | Uint8Array>;
  /** Entries by name: a transaction reads some sixty properties, and finding a row takes longer than reading it. */
  private readonly entries = new Map<string, TableEntry<bigint | Uint8Array>>();
  private generation = 0;

  /** What the configuration says of rows that a chain may not have stored. */
  private readonly configured: ReadonlyMap<LongProperty, bigint>;

  constructor(rows: Table<bigint | Uint8Array>, configured: ReadonlyMap<LongProperty, bigint>) {
    this.rows = rows;
    this.configured = configured;
  }

  /** A whole number; what the reference reads when the row was never written. */
  get(name: LongProperty): bigint {
    const { value } = this.entry(name);
    return value === undefined ? this.whenAbsent(name) : (value as bigint);
  }

  /** What a reader gets while the row does not exist. */
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

  /** Tells whether properties that are read together, again and again, are as they were. */
  watch(names: readonly LongProperty[]): PropertyWatch {
    return new PropertyWatch(this.rows, names);
  }

  /** As `get`, for values bounded below 2^53: heights, times in ms, slots, counts. */
  number(name: LongProperty): number {
    return Number(this.get(name));
  }

  /** True when a switch of the committee is exactly 1. */
  isOn(name: LongProperty): boolean {
    return this.get(name) === 1n;
  }

  set(name: LongProperty, value: bigint): void {
    this.rows.put(keys[name], BigInt.asIntN(64, value));
  }

  /** Adds without a check, as Java's `+` does. */
  add(name: LongProperty, delta: bigint): void {
    this.set(name, this.get(name) + delta);
  }

  bytes(name: BytesProperty): Uint8Array {
    return (this.rows.get(keys[name]) as Uint8Array | undefined) ?? EMPTY_BYTES;
  }

  setBytes(name: BytesProperty, value: Uint8Array): void {
    this.rows.put(keys[name], value);
  }

  /** Witness upgrade statistics of a block version: a byte per active witness, 1 = upgraded. */
  forkStats(version: number): Uint8Array | undefined {
    return this.rows.get(forkKey(version)) as Uint8Array | undefined;
  }

  setForkStats(version: number, stats: Uint8Array): void {
    this.rows.put(forkKey(version), stats);
  }

  /** Writes a row by its key (hex): for rows that a chain starts with. */
  putRaw(key: string, value: bigint | Uint8Array): void {
    this.rows.put(key, value);
  }

  /** Whether a row exists: some rules tell "never written" from zero. */
  has(name: LongProperty | BytesProperty): boolean {
    return this.rows.has(keys[name]);
  }

  /** Net effect of both forms of staking at once. Reference: supportUnfreezeDelay. */
  supportsUnfreezeDelay(): boolean {
    return this.get('UNFREEZE_DELAY_DAYS') > 0n;
  }

  supportsBlackHoleOptimization(): boolean {
    return this.isOn('ALLOW_BLACKHOLE_OPTIMIZATION');
  }
}

/** Rows by their places in the table: looking up thirty of them by name takes longer than comparing them. */
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

  /** Whether any may differ from what it was at the last call; the first one says so. */
  hasChanged(): boolean {
    if (this.generation === this.rows.generation) {
      const { entries, values } = this;
      if (entries.every(({ value }, at) => value === values[at])) return false;
    }
    // Noted first: looking rows up may begin a new one, in which these are looked up again.
    this.generation = this.rows.generation;
    this.entries = this.names.map((name) => this.rows.entry(keys[name]));
    this.values = this.entries.map(({ value }) => value);
    return true;
  }
}

/** One key of all rows is odd: it starts with a space. Reference: DynamicPropertiesStore.ALLOW_SAME_TOKEN_NAME. */
const ODD_KEYS: Readonly<Record<string, string>> = { ALLOW_SAME_TOKEN_NAME: ' ALLOW_SAME_TOKEN_NAME' };

/** There is a row of every name. */
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

/** Keys by version: asked for several times in each transaction. */
const forkKeys: string[] = [];

/** Rows with which a chain starts, before configuration and genesis are applied. */
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
