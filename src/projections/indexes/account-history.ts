import { equalBytes } from '../../primitives/bytes.js';
import { TronError } from '../../primitives/errors.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ProjectionDatabase } from '../runner/projection-database.js';
import { reachOf } from '../runner/reach.js';
import { type HistoryPosition, indexKey, positionOfKey } from './history-key.js';
import { keyAfter, readTokenContractKey, tokenContractsIndex } from './token-contracts.js';

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

/** Selection and order of the history rows of an account. */
interface HistoryRange {
  /** First height of the range, inclusive. */
  readonly from: number;
  /** Last height of the range, inclusive. */
  readonly to: number;
  readonly isAscending: boolean;
  /** Position of the first row, inclusive. */
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
   * @param before position of the last row of the previous page; the page starts with the next older row
   * @throws {TronError} PROJECTION_OFF: the index is not enabled
   */
  page(projection: string, address: Uint8Array, first: number, before?: HistoryPosition): HistoryPage {
    const { database, upTo } = this.open(projection);
    const limit = before === undefined ? undefined : indexKey(address, before);
    const rows: HistoryRow[] = [];
    let hasMore = false;
    for (const { key, value } of database.range(projection, address, {
      reverse: true,
      ...(limit && { below: limit }),
    })) {
      if (limit !== undefined && equalBytes(key, limit)) continue;
      const position = positionOfKey(key);
      // Skip a row of a reverted block, which the projection has not deleted yet.
      if (position[0] > upTo) continue;
      if (rows.length === first) {
        hasMore = true;
        break;
      }
      rows.push({ position, value: Uint8Array.from(value) });
    }
    return { rows, hasMore, upTo };
  }

  /** Returns true if an index is enabled. */
  keeps(projection: string): boolean {
    return this.database !== undefined && this.switchedOn.has(projection);
  }

  /** Iterates over the rows of an account. @throws {TronError} PROJECTION_OFF: the index is not enabled */
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
   * Iterates over the TRC20 contracts whose tokens an account sent or received, in address order, without duplicates.
   * Needs one database read per contract, even if the contract has many transfers.
   * @param behind contract after which the list starts, exclusive
   * @throws {TronError} PROJECTION_OFF: the index is not enabled
   */
  *tokenContracts(address: Uint8Array, behind?: Uint8Array): Iterable<Uint8Array> {
    const { database, upTo } = this.open(tokenContractsIndex.name);
    for (let last = behind; ; ) {
      const from = last === undefined ? address : keyAfter(address, last);
      const [row] = [...database.range(tokenContractsIndex.name, address, { from, limit: 1 })];
      if (row === undefined) return;
      const { contract, height } = readTokenContractKey(row.key);
      last = contract;
      // Skip a contract whose first transfer is in a reverted block, which the projection has not deleted yet.
      if (height <= upTo) yield contract;
    }
  }

  /** Opens an index. @throws {TronError} PROJECTION_OFF: the index is not enabled */
  private open(projection: string): { readonly database: ProjectionDatabase; readonly upTo: number } {
    const database = this.databaseOf(projection);
    database.refresh();
    const cursor = database.cursor(projection);
    return { database, upTo: cursor === undefined ? -1 : reachOf(this.ledger, cursor.seq) };
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

/** Suffix that makes a key greater than all keys with the same prefix. */
const BEHIND = Buffer.alloc(64, 0xff);
