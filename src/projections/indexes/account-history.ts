import { equalBytes } from '../../primitives/bytes.js';
import { TronError } from '../../primitives/errors.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ProjectionDatabase } from '../runner/projection-database.js';
import { reachOf } from '../runner/reach.js';
import { type HistoryPosition, indexKey, positionOfKey } from './history-key.js';
import { keyAfter, readTokenContractKey, TOKEN_CONTRACTS } from './token-contracts.js';

export interface HistoryRow {
  readonly place: HistoryPosition;
  readonly value: Uint8Array;
}

interface HistoryPage {
  /** Newest first. */
  readonly rows: readonly HistoryRow[];
  readonly hasMore: boolean;
  /** Height up to which the history is filled; -1 for none. */
  readonly upTo: number;
}

/** Which rows of an account, and in which order. */
interface HistoryRange {
  /** Heights, both included. */
  readonly from: number;
  readonly to: number;
  readonly isAscending: boolean;
  /** Place at which the rows begin, itself included. */
  readonly start?: HistoryPosition | undefined;
}

/** Reads what the history projections have written. */
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
   * Rows of an account, the newest first. @param before place behind which the page begins
   * @throws {TronError} PROJECTION_OFF
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
      const place = positionOfKey(key);
      // Of a block that was taken back: the projection is about to hear of it.
      if (place[0] > upTo) continue;
      if (rows.length === first) {
        hasMore = true;
        break;
      }
      rows.push({ place, value: Uint8Array.from(value) });
    }
    return { rows, hasMore, upTo };
  }

  /** Whether a history is kept. */
  keeps(projection: string): boolean {
    return this.database !== undefined && this.switchedOn.has(projection);
  }

  /** Rows of an account, one by one as they are asked for. @throws {TronError} PROJECTION_OFF */
  *rows(projection: string, address: Uint8Array, range: HistoryRange): Iterable<HistoryRow> {
    const { database, upTo } = this.open(projection);
    const { from, isAscending, start } = range;
    const to = Math.min(range.to, upTo);
    if (from > to) return;
    const bounds = isAscending
      ? { from: indexKey(address, start ?? [from]) }
      : { reverse: true, below: Buffer.concat([indexKey(address, start ?? [to]), BEHIND]) };
    for (const { key, value } of database.range(projection, address, bounds)) {
      const place = positionOfKey(key);
      if (isAscending ? place[0] > to : place[0] < from) return;
      // A place of which the chain has gone back since the page before.
      if (place[0] < from || place[0] > to) continue;
      yield { place, value: Uint8Array.from(value) };
    }
  }

  /** Rows of an account at one place and inside of it, ascending. @throws {TronError} PROJECTION_OFF */
  rowsAt(projection: string, address: Uint8Array, place: HistoryPosition): HistoryRow[] {
    return [...this.databaseOf(projection).range(projection, indexKey(address, place))].map(({ key, value }) => ({
      place: positionOfKey(key),
      value: Uint8Array.from(value),
    }));
  }

  /**
   * TRC20 contracts whose tokens an account got or gave, each once, in the order of their addresses. Each costs one
   * look, however many transfers there were. @param behind the contract that the list begins behind
   * @throws {TronError} PROJECTION_OFF
   */
  *tokenContracts(address: Uint8Array, behind?: Uint8Array): Iterable<Uint8Array> {
    const { database, upTo } = this.open(TOKEN_CONTRACTS);
    for (let last = behind; ; ) {
      const from = last === undefined ? address : keyAfter(address, last);
      const [row] = [...database.range(TOKEN_CONTRACTS, address, { from, limit: 1 })];
      if (row === undefined) return;
      const { contract, height } = readTokenContractKey(row.key);
      last = contract;
      // The first transfer is of a block that was taken back: the projection is about to hear of it.
      if (height <= upTo) yield contract;
    }
  }

  /** @throws {TronError} PROJECTION_OFF */
  private open(projection: string): { readonly database: ProjectionDatabase; readonly upTo: number } {
    const database = this.databaseOf(projection);
    database.refresh();
    const cursor = database.cursor(projection);
    return { database, upTo: cursor === undefined ? -1 : reachOf(this.ledger, cursor.seq) };
  }

  /** @throws {TronError} PROJECTION_OFF */
  private databaseOf(projection: string): ProjectionDatabase {
    const { database } = this;
    if (database !== undefined && this.switchedOn.has(projection)) return database;
    throw new TronError('PROJECTION_OFF', `this node keeps no ${projection}: name it in tronicle.projections`);
  }
}

/** Makes a key the last one of those that begin with it. */
const BEHIND = Buffer.alloc(64, 0xff);
