import { equalBytes } from '../../log/domain/bytes.js';
import { TronError } from '../../log/domain/errors.js';
import type { Ledger } from '../../projections/ledger.js';
import type { ProjectionDatabase } from '../../projections/projection-database.js';
import { reachOf } from '../../projections/reach.js';
import { type HistoryPlace, historyKey, placeOfKey } from './history-key.js';

export interface HistoryRow {
  readonly place: HistoryPlace;
  readonly value: Uint8Array;
}

export interface HistoryPage {
  /** Newest first. */
  readonly rows: readonly HistoryRow[];
  readonly hasMore: boolean;
  /** Height up to which the history is filled; -1 for none. */
  readonly upTo: number;
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
  page(projection: string, address: Uint8Array, first: number, before?: HistoryPlace): HistoryPage {
    const { database, ledger } = this;
    if (database === undefined || !this.switchedOn.has(projection)) {
      throw new TronError('PROJECTION_OFF', `this node keeps no ${projection}: name it in tronicle.projections`);
    }
    database.refresh();
    const cursor = database.cursor(projection);
    const upTo = cursor === undefined ? -1 : reachOf(ledger, cursor.seq);
    const limit = before === undefined ? undefined : historyKey(address, before);
    const rows: HistoryRow[] = [];
    let hasMore = false;
    for (const { key, value } of database.range(projection, address, {
      reverse: true,
      ...(limit && { below: limit }),
    })) {
      if (limit !== undefined && equalBytes(key, limit)) continue;
      const place = placeOfKey(key);
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
}
