import { ADDRESS_BYTES } from '../../primitives/address.js';
import { concatBytes, equalBytes } from '../../primitives/bytes.js';
import { TronError } from '../../primitives/errors.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ProjectionDatabase } from '../runner/projection-database.js';
import { reachOf } from '../runner/reach.js';
import { type HistoryPosition, indexKey, positionOfKey } from './history-key.js';

export interface HistoryRow {
  readonly position: HistoryPosition;
  readonly value: Uint8Array;
}

interface HistoryPage {
  /** Rows of the page, newest first. */
  readonly rows: readonly HistoryRow[];
  readonly hasMore: boolean;
  /** Height up to which the index contains all blocks; -1 if the index is empty. */
  readonly upTo: number;
}

/** One item of an index whose list contains each value of a column once (`IndexDefinition.distinct`). */
interface DistinctValue {
  readonly address: Uint8Array;
  /** Newest row with this value; undefined if no such row exists up to the requested height. */
  readonly row: { readonly number: number; readonly value: Uint8Array } | undefined;
}

interface DistinctValues {
  /** Values in ascending order. The database is read during the iteration. */
  readonly values: Iterable<DistinctValue>;
  /** Height up to which the index contains all blocks; -1 if it contains none. */
  readonly upTo: number;
}

/** Selection and order of the history rows of an account. */
interface HistoryRange {
  /** First height of the range, inclusive. */
  readonly from: number;
  /** Last height of the range, inclusive. */
  readonly to: number;
  readonly isAscending: boolean;
  /** Position of the first returned row, inclusive. Undefined to start at `from`, or in descending order at `to`. */
  readonly start?: HistoryPosition | undefined;
}

/** Reads the rows of the account indexes. */
export class AccountHistory {
  private readonly database: ProjectionDatabase | undefined;
  private readonly ledger: Ledger;
  private readonly switchedOn: ReadonlySet<string>;

  constructor(database: ProjectionDatabase | undefined, ledger: Ledger, switchedOn: readonly string[]) {
    this.database = database;
    this.ledger = ledger;
    this.switchedOn = new Set(switchedOn);
  }

  /**
   * Returns rows of an account, newest first.
   * @param first maximum number of rows
   * @param before position of the last row of the previous page; the page starts with the next older row
   * @param to last height of the rows, inclusive; default: the newest block of the index
   * @throws {TronError} PROJECTION_OFF: the index is not enabled
   */
  page(
    projection: string,
    address: Uint8Array,
    first: number,
    {
      before,
      to = Number.MAX_SAFE_INTEGER,
    }: { readonly before?: HistoryPosition | undefined; readonly to?: number | undefined } = {},
  ): HistoryPage {
    const { database, upTo } = this.open(projection);
    const newest = Math.min(to, upTo);
    const start = before !== undefined && before[0] <= newest ? indexKey(address, before) : undefined;
    const rows: HistoryRow[] = [];
    let hasMore = false;
    for (const { key, value } of database.range(projection, address, {
      reverse: true,
      below: start ?? concatBytes(indexKey(address, [Math.max(newest, 0)]), BEHIND),
    })) {
      if (start !== undefined && equalBytes(key, start)) continue;
      const position = positionOfKey(key);
      // Skips a row of a reverted block: the index has not processed the revert yet.
      if (position[0] > newest) continue;
      if (rows.length === first) {
        hasMore = true;
        break;
      }
      rows.push({ position, value: Uint8Array.from(value) });
    }
    return { rows, hasMore, upTo };
  }

  /** Returns true if the index is enabled and the node has a database of indexes. */
  keeps(projection: string): boolean {
    return this.database !== undefined && this.switchedOn.has(projection);
  }

  /**
   * Iterates over the rows of an account in the given range. @throws {TronError} PROJECTION_OFF: the index is not
   * enabled
   */
  *rows(projection: string, address: Uint8Array, range: HistoryRange): Iterable<HistoryRow> {
    const { database, upTo } = this.open(projection);
    const { from, isAscending, start } = range;
    const to = Math.min(range.to, upTo);
    if (from > to) return;
    const bounds = isAscending
      ? { from: indexKey(address, start ?? [from]) }
      : { reverse: true, below: Buffer.concat([indexKey(address, start ?? [to]), BEHIND]) };
    for (const { key, value } of database.range(projection, address, bounds)) {
      const position = positionOfKey(key);
      if (isAscending ? position[0] > to : position[0] < from) return;
      // Skip a row of a block that was reverted since the previous page.
      if (position[0] < from || position[0] > to) continue;
      yield { position, value: Uint8Array.from(value) };
    }
  }

  /**
   * Returns the rows of an account at a position, ascending. A position with one number is a block, and one with two
   * numbers is a transaction of a block.
   * @throws {TronError} PROJECTION_OFF: the index is not enabled
   */
  rowsAt(projection: string, address: Uint8Array, position: HistoryPosition): HistoryRow[] {
    return [...this.databaseOf(projection).range(projection, indexKey(address, position))].map(({ key, value }) => ({
      position: positionOfKey(key),
      value: Uint8Array.from(value),
    }));
  }

  /**
   * Returns the distinct values of an index (`IndexDefinition.distinct`) in ascending order. Needs two database reads
   * per value, even if the value has many rows.
   * @param after value after which the list starts, exclusive
   * @param to last height of the rows, inclusive; default: the newest block of the index
   * @throws {TronError} PROJECTION_OFF: the index is not enabled
   */
  distinctValues(
    projection: string,
    address: Uint8Array,
    {
      after,
      to = Number.MAX_SAFE_INTEGER,
    }: { readonly after?: Uint8Array | undefined; readonly to?: number | undefined } = {},
  ): DistinctValues {
    const { database, upTo } = this.open(projection);
    const newest = Math.min(to, upTo);
    function* values(): Iterable<DistinctValue> {
      for (let last = after; ; ) {
        const from = last === undefined ? address : concatBytes(address, last, BEHIND);
        const [oldest] = [...database.range(projection, address, { from, limit: 1 })];
        if (oldest === undefined) return;
        const list = Uint8Array.from(oldest.key.subarray(0, 2 * ADDRESS_BYTES));
        last = list.subarray(ADDRESS_BYTES);
        yield { address: last, row: newest < 0 ? undefined : newestRow(database, projection, list, newest) };
      }
    }
    return { values: values(), upTo };
  }

  /**
   * Opens an index.
   * @throws {TronError} PROJECTION_OFF: the index is not enabled; HISTORY_NOT_KEPT: the index has stopped, and the
   * next log entries that it needs were deleted
   */
  private open(projection: string): { readonly database: ProjectionDatabase; readonly upTo: number } {
    const database = this.databaseOf(projection);
    database.refresh();
    const cursor = database.cursor(projection);
    const upTo = cursor === undefined ? -1 : reachOf(this.ledger, cursor.seq);
    if (upTo !== undefined) return { database, upTo };
    throw new TronError(
      'HISTORY_NOT_KEPT',
      `the index ${projection} ends at log entry ${cursor?.seq}, and the next entry was deleted; restart the node, which builds the index again`,
    );
  }

  /** Returns the database of an index. @throws {TronError} PROJECTION_OFF: the index is not enabled */
  private databaseOf(projection: string): ProjectionDatabase {
    const { database } = this;
    if (database !== undefined && this.switchedOn.has(projection)) return database;
    throw projectionOff(projection);
  }
}

/** Returns the error for a request that needs a disabled index. */
export function projectionOff(name: string): TronError {
  return new TronError('PROJECTION_OFF', `the index ${name} is off: add it to tronicle.projections`);
}

/** Returns the newest row of a list at or below the height `to`; undefined if no such row exists. */
function newestRow(
  database: ProjectionDatabase,
  projection: string,
  list: Uint8Array,
  to: number,
): DistinctValue['row'] {
  const below = indexKey(list, [to]);
  for (const { key, value } of database.range(projection, list, { reverse: true, below, limit: 1 }))
    return { number: positionOfKey(key, list.length)[0], value: Uint8Array.from(value) };
  return undefined;
}

/** Suffix that makes a key greater than all keys with the same prefix, because no key is longer. */
const BEHIND = Buffer.alloc(64, 0xff);
