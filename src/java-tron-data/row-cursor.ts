import { itemAt, present } from '../primitives/assert.js';
import { FormatError } from './byte-reader.js';
import { JavaDataError } from './java-data-error.js';
import { RandomFile } from './random-file.js';
import type { TableFile } from './tables/manifest.js';
import { SortedTable } from './tables/sorted-table.js';
import { BlockCursor } from './tables/table-block.js';
import type { LoggedRow } from './tables/write-batch.js';

/** Compares two keys of a store. A key is at the start of a buffer, and has the given number of bytes. */
export type CompareKeys = (a: Buffer, aBytes: number, b: Buffer, bBytes: number) => number;

/** Default key order: unsigned bytes. */
export const compareAsBytes: CompareKeys = (a, aBytes, b, bBytes) => a.compare(b, 0, bBytes, 0, aBytes);

/** Iterates over sorted rows. Key and value are valid until the next step. */
export interface RowCursor {
  /** Moves to the next row. Returns false at the end. @throws {JavaDataError} the source is damaged */
  next(): boolean;
  readonly key: Buffer;
  /** Size of the key in {@link key}, in bytes. */
  readonly keyBytes: number;
  readonly sequence: number;
  readonly isDeletion: boolean;
  value(): Buffer;
  close(): void;
}

/** Size in bytes of the suffix of an internal key. The suffix contains sequence number (56 bits) and type (8 bits). */
export const TAIL_BYTES = 8;
const DELETION = 0;
export const VALUE = 1;
const SINGLE_DELETION = 7;

/**
 * Rows of tables: of one table of level 0, or of all tables of another level, because these tables have disjoint key
 * ranges.
 */
export class TableRows implements RowCursor {
  keyBytes = 0;
  sequence = 0;
  isDeletion = false;
  private readonly block = new BlockCursor({ hasValueLengths: true, tailBytes: TAIL_BYTES });
  private readonly tables: readonly TableFile[];
  private readonly pathOf: (number: number) => string;
  private readonly isByteOrder: boolean;
  private next_ = 0;
  private file: RandomFile | undefined;
  private table: SortedTable | undefined;
  private blocks: Iterator<Buffer> | undefined;
  private rows = 0;
  private hasBlock = false;

  constructor(tables: readonly TableFile[], pathOf: (number: number) => string, isByteOrder: boolean) {
    this.tables = tables;
    this.pathOf = pathOf;
    this.isByteOrder = isByteOrder;
  }

  get key(): Buffer {
    return this.block.key;
  }

  value(): Buffer {
    return this.block.value;
  }

  next(): boolean {
    try {
      return this.step();
    } catch (error) {
      this.close();
      if (!(error instanceof FormatError)) throw error;
      throw new JavaDataError(this.pathOf(itemAt(this.tables, Math.max(0, this.next_ - 1)).number), error.message, {
        cause: error,
      });
    }
  }

  close(): void {
    this.file?.close();
    this.file = undefined;
    this.blocks = undefined;
  }

  private step(): boolean {
    const { block } = this;
    while (!this.hasBlock || !block.next()) {
      if (this.blocks === undefined && !this.openTable()) return false;
      const next = present(this.blocks, 'a table was opened').next();
      this.hasBlock = next.done !== true;
      if (next.done === true) this.endTable();
      else block.open(next.value);
    }
    const { key, keyBytes } = block;
    const end = keyBytes - TAIL_BYTES;
    if (end < 0) throw new FormatError('key without sequence number');
    if (this.isByteOrder && block.order < 0) throw new FormatError('keys are out of order');
    if (this.rows++ === 0) this.checkEdge('smallest');
    const type = itemAt(key, end);
    if (type !== VALUE && type !== DELETION && type !== SINGLE_DELETION) {
      throw new FormatError(`unknown row type ${type}`);
    }
    this.keyBytes = end;
    this.isDeletion = type !== VALUE;
    this.sequence =
      key.readUIntLE(end + 1, 4) +
      (itemAt(key, end + 5) + (itemAt(key, end + 6) << 8) + itemAt(key, end + 7) * 65_536) * 2 ** 32;
    return true;
  }

  private openTable(): boolean {
    const table = this.tables[this.next_];
    if (table === undefined) return false;
    this.next_++;
    this.file = new RandomFile(this.pathOf(table.number));
    if (this.file.size !== table.bytes) {
      throw new FormatError(`the table file has ${this.file.size} bytes, but the manifest lists ${table.bytes} bytes`);
    }
    this.table = new SortedTable(this.file);
    this.blocks = this.table.blocks();
    this.rows = 0;
    return true;
  }

  private endTable(): void {
    if (this.rows > 0) this.checkEdge('largest');
    const { entries } = present(this.table, 'a table is open until it ends');
    if (entries !== undefined && entries !== this.rows) {
      throw new FormatError(`the table has ${this.rows} rows, but its properties block lists ${entries} rows`);
    }
    this.close();
  }

  /**
   * Compares the first or last key of a table with the key in the manifest.
   * @throws {FormatError} the keys differ, so the table belongs to another store or to an older state
   */
  private checkEdge(edge: 'smallest' | 'largest'): void {
    const { key, keyBytes } = this.block;
    const should = itemAt(this.tables, this.next_ - 1)[edge];
    if (key.compare(should, 0, should.length, 0, keyBytes) !== 0) {
      throw new FormatError(`${edge} key does not match the manifest`);
    }
  }
}

/** Rows of the write-ahead logs, which LevelDB and RocksDB would load into memory at a start. */
export class LogRows implements RowCursor {
  private readonly rows: readonly LoggedRow[];
  private at = -1;

  /** Sorts the rows by key. For equal keys, the newest row is first. @param rows in write order */
  constructor(rows: readonly LoggedRow[], compare: CompareKeys) {
    this.rows = rows.toSorted((a, b) => compare(a.key, a.key.length, b.key, b.key.length) || b.sequence - a.sequence);
  }

  next(): boolean {
    return ++this.at < this.rows.length;
  }

  get key(): Buffer {
    return this.row.key;
  }

  get keyBytes(): number {
    return this.row.key.length;
  }

  get sequence(): number {
    return this.row.sequence;
  }

  get isDeletion(): boolean {
    return this.row.value === undefined;
  }

  value(): Buffer {
    return present(this.row.value, 'the value of a deletion is never read');
  }

  close(): void {}

  private get row(): LoggedRow {
    return itemAt(this.rows, this.at);
  }
}
