import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { itemAt } from '../primitives/assert.js';
import { FormatError } from './byte-reader.js';
import { JavaDataError } from './java-data-error.js';
import { type CompareKeys, compareAsBytes, LogRows, type RowCursor, TAIL_BYTES, TableRows } from './row-cursor.js';
import { type Manifest, readManifest, type TableFile } from './tables/manifest.js';
import { readRecords } from './tables/record-log.js';
import { type LoggedRow, NEWEST, readBatch, readTornBatch } from './tables/write-batch.js';

/**
 * Key order of a store. `comparator` is the name of the order in the manifest. RocksDB omits the name of the default
 * order.
 */
export interface StoreOrder {
  readonly comparator: string;
  readonly compare: CompareKeys;
}

export const BYTE_ORDER: StoreOrder = { comparator: 'leveldb.BytewiseComparator', compare: compareAsBytes };

interface JavaStoreOptions {
  /** Folder of the store. */
  readonly folder: string;
  readonly order?: StoreOrder;
  /**
   * Returns true if a truncated last batch in a log is acceptable, because checkpoints contain its rows. A killed
   * process can write such a batch. If undefined or false, the batch is an error.
   */
  readonly isCovered?: (rows: readonly LoggedRow[]) => boolean;
}

interface ReadOptions {
  /** Rows that override all rows of the store. */
  readonly newer?: readonly LoggedRow[] | undefined;
  /** Returns true if a row of the store is obsolete and must be skipped. */
  readonly isDropped?: ((key: Buffer) => boolean) | undefined;
  /** First key to read. Tables that contain only lower keys are not read. */
  readonly from?: Buffer | undefined;
}

const TABLE_NAMES = ['ldb', 'sst'];
/**
 * Maximum size of a log in bytes, because logs are read into memory. The limit is several times the write buffer of
 * LevelDB and RocksDB.
 */
const LOG_BYTES_MAX = 1024 * 1024 * 1024;

/**
 * Reads a LevelDB or RocksDB folder of java-tron without the libraries LevelDB and RocksDB. Never writes to the folder.
 */
export class JavaStore {
  private readonly options: JavaStoreOptions;
  private readonly order: StoreOrder;
  private readonly manifest: Manifest;

  /**
   * Reads and checks the manifest. {@link rows} reads the rows.
   * @throws {JavaDataError} the folder or its manifest is damaged or incomplete
   */
  constructor(options: JavaStoreOptions) {
    this.options = options;
    this.order = options.order ?? BYTE_ORDER;
    const { folder } = options;
    if (!existsSync(folder)) throw new JavaDataError(folder, 'store folder is missing');
    const current = join(folder, 'CURRENT');
    if (!existsSync(current)) throw new JavaDataError(current, 'file is missing');
    const name = readFileSync(current, 'latin1');
    if (!/^MANIFEST-\d+\n$/.test(name)) throw new JavaDataError(current, 'contains no manifest name');
    const path = join(folder, name.trimEnd());
    if (!existsSync(path)) throw new JavaDataError(path, 'file is missing');
    this.manifest = named(path, () => readManifest(readFileSync(path)));
    const { comparator } = this.manifest;
    if (comparator !== undefined && comparator !== this.order.comparator) {
      throw new JavaDataError(path, `unexpected key order ${comparator}, expected ${this.order.comparator}`);
    }
    for (const { number, bytes } of this.manifest.tables) this.checkTable(number, bytes);
    this.checkUnknownTables();
  }

  /** Total size of tables and logs, in bytes. */
  get bytes(): number {
    return (
      this.manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0) +
      this.logs().reduce((sum, path) => sum + statSync(path).size, 0)
    );
  }

  /**
   * Returns the newest version of each row in key order, without deleted rows.
   * @throws {JavaDataError} during the iteration: a table or log is damaged
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
    if (logs.length === 0) throw new JavaDataError(this.options.folder, 'store has no log file');
    for (const [index, path] of logs.entries()) {
      if (statSync(path).size > LOG_BYTES_MAX)
        throw new JavaDataError(path, `log is larger than ${LOG_BYTES_MAX} bytes`);
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
        throw new FormatError(
          'the log is truncated, and no checkpoint contains the lost rows; copy the folder again while java-tron is stopped',
        );
      }
      return;
    }
  }

  /** Returns the paths of the logs with rows that may not be in the tables yet, oldest log first. */
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
   * Rejects a folder with a table that the manifest does not list, although the table is older than the last edit of
   * the manifest. In this case, the manifest is outdated, or belongs to another store.
   */
  private checkUnknownTables(): void {
    const { tables, removed, nextFile } = this.manifest;
    const known = new Set([...tables.map(({ number }) => number), ...removed]);
    for (const name of readdirSync(this.options.folder)) {
      const digits = /^(\d+)\.(sst|ldb)$/.exec(name)?.[1];
      if (digits === undefined || known.has(Number(digits)) || Number(digits) >= nextFile) continue;
      throw new JavaDataError(join(this.options.folder, name), 'the manifest of the folder does not list this table');
    }
  }

  private checkTable(number: number, bytes: number): void {
    const path = this.tablePath(number);
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined) throw new JavaDataError(path, 'file is missing');
    if (size !== bytes)
      throw new JavaDataError(path, `the table file has ${size} bytes, but the manifest lists ${bytes} bytes`);
  }
}

const EMPTY = Buffer.alloc(0);

/**
 * Merges several sorted sources. Among rows with the same key, only the row with the highest sequence number is
 * returned. If this row is a deletion, the key is skipped.
 */
export class MergedRows {
  private readonly from: Buffer | undefined;
  private readonly compare: CompareKeys;
  private readonly live: RowCursor[] = [];
  private current: RowCursor | undefined;
  private last: Buffer = Buffer.allocUnsafe(256);
  private lastBytes = -1;
  /** Key and value of the current row, valid until the next step. */
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

  /** Moves to the next row. Returns false at the end. @throws {JavaDataError} a source is damaged */
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

  /** True if the row is from a log or a checkpoint, not from a table. */
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

/** Adds the file name to an error. */
function named<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError) throw new JavaDataError(path, error.message, { cause: error });
    throw error;
  }
}
