import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { itemAt } from '../primitives/assert.js';
import { FormatError } from './byte-reader.js';
import { JavaDataError } from './java-data-error.js';
import { type CompareKeys, compareAsBytes, LogRows, type RowCursor, TAIL_BYTES, TableRows } from './row-cursor.js';
import { type Manifest, readManifest, type TableFile } from './tables/manifest.js';
import { readRecords } from './tables/record-log.js';
import { type LoggedRow, NEWEST, readBatch, readTornBatch } from './tables/write-batch.js';

/** How a store sorts, by the name in its manifest; RocksDB leaves the usual one out. */
export interface StoreOrder {
  readonly comparator: string;
  readonly compare: CompareKeys;
}

export const BYTE_ORDER: StoreOrder = { comparator: 'leveldb.BytewiseComparator', compare: compareAsBytes };

interface JavaStoreOptions {
  /** Folder of the store on the disk. */
  readonly folder: string;
  readonly order?: StoreOrder;
  /**
   * A log whose last batch is cut off, as a killed process leaves it: whether nothing is lost, because a checkpoint
   * writes the same rows again. Otherwise it is an error.
   */
  readonly isCovered?: (rows: readonly LoggedRow[]) => boolean;
}

interface ReadOptions {
  /** Rows that go before all of the store's. */
  readonly newer?: readonly LoggedRow[] | undefined;
  /** For keys of the store that do not count any more. */
  readonly isDropped?: ((key: Buffer) => boolean) | undefined;
  /** The first key; tables that end before it are not read. */
  readonly from?: Buffer | undefined;
}

const TABLE_NAMES = ['ldb', 'sst'];
/** What the engines put into their write buffers, several times over: logs are held in memory. */
const LOG_BYTES_MAX = 1024 * 1024 * 1024;

/** A LevelDB or RocksDB folder as the reference leaves it, read without either and never written. */
export class JavaStore {
  private readonly options: JavaStoreOptions;
  private readonly order: StoreOrder;
  private readonly manifest: Manifest;

  /** Reads and checks the manifest; the rows are read by {@link rows}. @throws {JavaDataError} */
  constructor(options: JavaStoreOptions) {
    this.options = options;
    this.order = options.order ?? BYTE_ORDER;
    const { folder } = options;
    if (!existsSync(folder)) throw new JavaDataError(folder, 'it is missing');
    const current = join(folder, 'CURRENT');
    if (!existsSync(current)) throw new JavaDataError(current, 'it is missing');
    const name = readFileSync(current, 'latin1');
    if (!/^MANIFEST-\d+\n$/.test(name)) throw new JavaDataError(current, 'it names no manifest');
    const path = join(folder, name.trimEnd());
    if (!existsSync(path)) throw new JavaDataError(path, 'it is missing');
    this.manifest = named(path, () => readManifest(readFileSync(path)));
    const { comparator } = this.manifest;
    if (comparator !== undefined && comparator !== this.order.comparator) {
      throw new JavaDataError(path, `its keys are sorted by ${comparator}, not by ${this.order.comparator}`);
    }
    for (const { number, bytes } of this.manifest.tables) this.checkTable(number, bytes);
    this.checkUnknownTables();
  }

  /** Bytes of tables and logs. */
  get bytes(): number {
    return (
      this.manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0) +
      this.logs().reduce((sum, path) => sum + statSync(path).size, 0)
    );
  }

  /**
   * The newest version of each row, ascending, without the deleted ones.
   * @throws {JavaDataError} while it goes
   */
  rows({ newer = [], isDropped, from }: ReadOptions = {}): MergedRows {
    const { compare } = this.order;
    const isByteOrder = compare === compareAsBytes;
    const path = (number: number): string => this.tablePath(number);
    const levels = new Map<number, TableFile[]>();
    const cursors: RowCursor[] = [new LogRows([...newer, ...this.loggedRows()], compare)];
    for (const table of this.manifest.tables) {
      if (from !== undefined && compare(table.largest, table.largest.length - TAIL_BYTES, from, from.length) < 0)
        continue;
      if (table.level === 0) cursors.push(new TableRows([table], path, isByteOrder));
      else levels.set(table.level, [...(levels.get(table.level) ?? []), table]);
    }
    for (const tables of levels.values()) {
      const sorted = tables.toSorted((a, b) => compareUserKeys(compare, a.smallest, b.smallest));
      cursors.push(new TableRows(sorted, path, isByteOrder));
    }
    return new MergedRows(cursors, compare, { isDropped, from });
  }

  private loggedRows(): LoggedRow[] {
    const rows: LoggedRow[] = [];
    const logs = this.logs();
    if (logs.length === 0) throw new JavaDataError(this.options.folder, 'it has no log');
    for (const [index, path] of logs.entries()) {
      if (statSync(path).size > LOG_BYTES_MAX)
        throw new JavaDataError(path, 'it is larger than any log of the reference');
      named(path, () => this.readLog(path, rows, index === logs.length - 1));
    }
    return rows;
  }

  private readLog(path: string, rows: LoggedRow[], isNewest: boolean): void {
    const records = readRecords(readFileSync(path));
    for (let next = records.next(); ; next = records.next()) {
      if (next.done !== true) {
        for (const row of readBatch(next.value)) rows.push(row);
        continue;
      }
      if (next.value === undefined) return;
      const { isCovered } = this.options;
      if (!isNewest || isCovered === undefined || !isCovered(readTornBatch(next.value.bytes))) {
        throw new FormatError('it is cut off, and no checkpoint holds what it should');
      }
      return;
    }
  }

  /** Paths of the logs whose rows are not in the tables yet, oldest first. */
  private logs(): string[] {
    const { logNumber, previousLog } = this.manifest;
    return readdirSync(this.options.folder)
      .flatMap((name) => /^(\d+)\.log$/.exec(name)?.[1] ?? [])
      .filter((digits) => Number(digits) >= logNumber || (Number(digits) === previousLog && previousLog > 0))
      .sort((a, b) => Number(a) - Number(b))
      .map((digits) => join(this.options.folder, `${digits}.log`));
  }

  private tablePath(number: number): string {
    const digits = String(number).padStart(6, '0');
    const paths = TABLE_NAMES.map((end) => join(this.options.folder, `${digits}.${end}`));
    return paths.find((path) => existsSync(path)) ?? itemAt(paths, 1);
  }

  /**
   * A table that the manifest never heard of, though it was there before the manifest's last edit, belongs to another
   * one: the manifest is not this store's, or not its newest.
   */
  private checkUnknownTables(): void {
    const { tables, removed, nextFile } = this.manifest;
    const known = new Set([...tables.map(({ number }) => number), ...removed]);
    for (const name of readdirSync(this.options.folder)) {
      const digits = /^(\d+)\.(sst|ldb)$/.exec(name)?.[1];
      if (digits === undefined || known.has(Number(digits)) || Number(digits) >= nextFile) continue;
      throw new JavaDataError(join(this.options.folder, name), 'the manifest of its folder knows nothing of it');
    }
  }

  private checkTable(number: number, bytes: number): void {
    const path = this.tablePath(number);
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined) throw new JavaDataError(path, 'it is missing');
    if (size !== bytes) throw new JavaDataError(path, `it has ${size} bytes, not the ${bytes} that the manifest says`);
  }
}

const EMPTY = Buffer.alloc(0);

/**
 * Several sorted sources as one: of rows with the same key the one with the highest sequence, unless it is a deletion.
 */
export class MergedRows {
  private readonly from: Buffer | undefined;
  private readonly compare: CompareKeys;
  private readonly live: RowCursor[] = [];
  private current: RowCursor | undefined;
  private last: Buffer = Buffer.allocUnsafe(256);
  private lastBytes = -1;
  /** Good until the next step, as {@link value}. */
  key: Buffer = EMPTY;
  value: Buffer = EMPTY;
  private readonly isDropped: ((key: Buffer) => boolean) | undefined;

  constructor(
    cursors: readonly RowCursor[],
    compare: CompareKeys,
    { isDropped, from }: Omit<ReadOptions, 'newer'> = {},
  ) {
    this.from = from;
    this.compare = compare;
    this.isDropped = isDropped;
    for (const cursor of cursors) if (cursor.next()) this.live.push(cursor);
  }

  /** To the next row; false at the end. @throws {JavaDataError} */
  next(): boolean {
    for (;;) {
      if (this.current !== undefined && !this.current.next()) this.live.splice(this.live.indexOf(this.current), 1);
      const row = this.smallest();
      this.current = row;
      if (row === undefined) return false;
      const { key, keyBytes } = row;
      if (this.lastBytes >= 0 && this.compare(key, keyBytes, this.last, this.lastBytes) === 0) continue;
      if (keyBytes > this.last.length) this.last = Buffer.allocUnsafe(keyBytes * 2);
      key.copy(this.last, 0, 0, keyBytes);
      this.lastBytes = keyBytes;
      if (row.isDeletion) continue;
      this.key = this.last.subarray(0, keyBytes);
      if (this.from !== undefined && this.compare(key, keyBytes, this.from, this.from.length) < 0) continue;
      if (this.isDropped !== undefined && row.sequence !== NEWEST && this.isDropped(this.key)) continue;
      this.value = row.value();
      return true;
    }
  }

  /** Whether the row comes out of a log or a checkpoint, and not out of a table. */
  get isLogged(): boolean {
    return this.current instanceof LogRows;
  }

  close(): void {
    for (const cursor of this.live) cursor.close();
  }

  private smallest(): RowCursor | undefined {
    const { live, compare } = this;
    let best: RowCursor | undefined;
    for (const other of live) {
      const order = best === undefined ? -1 : compare(other.key, other.keyBytes, best.key, best.keyBytes);
      if (best === undefined || order < 0 || (order === 0 && other.sequence > best.sequence)) best = other;
    }
    return best;
  }
}

function compareUserKeys(compare: CompareKeys, a: Buffer, b: Buffer): number {
  return compare(a, a.length - TAIL_BYTES, b, b.length - TAIL_BYTES);
}

/** Gives a finding the name of its file. */
function named<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError) throw new JavaDataError(path, error.message, { cause: error });
    throw error;
  }
}
