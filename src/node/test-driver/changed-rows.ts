import { toHex } from '../../primitives/bytes.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import type { RowChange } from '../../projections/state/state-reader.js';
import { isJavaStore, javaStoreIds, type StoreId, storeName } from '../../projections/state/stores.js';

/** Changed rows, by store and key (hex). A value is hex, or null if the row was deleted. */
export type RowsByStore = Record<string, Record<string, string | null>>;

interface SeenRow {
  readonly store: StoreId;
  readonly key: Uint8Array;
  /** Value of the row at the previous call of `take`. */
  readonly value: Uint8Array | undefined;
}

/**
 * Finds the state rows that changed between two calls of `take`, under java-tron's store names. Includes the effects of
 * all blocks that were applied or reverted between these calls.
 */
export class ChangedRows {
  private readonly ledger: Ledger;
  private seq: number | undefined = undefined;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  /** Returns the rows that changed since the previous call. The first call returns every row. */
  take(): RowsByStore {
    const from = this.seq;
    this.seq = this.ledger.position.seq;
    if (from === undefined) return allRows(this.ledger);
    const touched = new Map<string, SeenRow>();
    for (let seq = from + 1; seq <= this.seq; seq++) this.collect(seq, touched);
    const rows: RowsByStore = {};
    for (const { store, key, value } of touched.values()) {
      const now = this.ledger.head.get(store, key);
      if (toText(value) === toText(now)) continue;
      const name = storeName(store);
      rows[name] ??= {};
      rows[name][toHex(key)] = toText(now);
    }
    return rows;
  }

  private collect(seq: number, touched: Map<string, SeenRow>): void {
    const entry = this.ledger.entry(seq);
    const isReverted = entry.kind === 'reverted';
    if (entry.kind !== 'applied' && !isReverted) return;
    const applied = isReverted ? this.appliedBefore(seq, entry.id) : seq;
    for (const change of this.ledger.changes(applied)?.rows ?? []) {
      if (isJavaStore(change.store)) note(touched, change, isReverted);
    }
  }

  /**
   * Returns the sequence number of the `applied` entry that a `reverted` entry reverts. It is the newest earlier entry
   * with the same block id.
   */
  private appliedBefore(seq: number, id: Uint8Array): number {
    for (let at = seq - 1; at > 0; at--) {
      const entry = this.ledger.entry(at);
      if (entry.kind === 'applied' && toHex(entry.id) === toHex(id)) return at;
    }
    throw new RangeError(`log entry ${seq} reverts a block that is missing in the log`);
  }
}

/** Returns all state rows that java-tron also has. Omits the rows that exist only in this program. */
export function allRows(ledger: Ledger): RowsByStore {
  const rows: RowsByStore = {};
  for (const store of javaStoreIds) {
    for (const { key, value } of ledger.head.range(store)) {
      const name = storeName(store);
      rows[name] ??= {};
      rows[name][toHex(key)] = toHex(value);
    }
  }
  return rows;
}

function note(touched: Map<string, SeenRow>, { store, key, before, after }: RowChange, isReverted: boolean): void {
  const name = `${store}/${toHex(key)}`;
  if (!touched.has(name)) touched.set(name, { store, key, value: isReverted ? after : before });
}

function toText(value: Uint8Array | undefined): string | null {
  return value === undefined ? null : toHex(value);
}
