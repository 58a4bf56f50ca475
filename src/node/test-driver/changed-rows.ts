import { toHex } from '../../primitives/bytes.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import type { RowChange } from '../../projections/state/state-reader.js';
import { isJavaStore, javaStoreIds, type StoreId, storeName } from '../../projections/state/stores.js';

/** store → key (hex) → value (hex), or null when the row was deleted. */
export type RowsByStore = Record<string, Record<string, string | null>>;

interface Seen {
  readonly store: StoreId;
  readonly key: Uint8Array;
  /** Value when the last answer with a difference was given. */
  readonly value: Uint8Array | undefined;
}

/**
 * What changed in the committed state, in stores that the reference has, since it was asked last, over any number of
 * blocks, back and forth.
 */
export class ChangedRows {
  private readonly ledger: Ledger;
  private seq: number | undefined = undefined;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  /** The first answer holds every row. */
  take(): RowsByStore {
    const from = this.seq;
    this.seq = this.ledger.position.seq;
    if (from === undefined) return allRows(this.ledger);
    const touched = new Map<string, Seen>();
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

  private collect(seq: number, touched: Map<string, Seen>): void {
    const entry = this.ledger.entry(seq);
    const isReverted = entry.kind === 'reverted';
    if (entry.kind !== 'applied' && !isReverted) return;
    const applied = isReverted ? this.appliedBefore(seq, entry.id) : seq;
    for (const change of this.ledger.changes(applied)?.rows ?? []) {
      if (isJavaStore(change.store)) note(touched, change, isReverted);
    }
  }

  /** The entry of the block that a `reverted` entry takes back: the newest one of its id before it. */
  private appliedBefore(seq: number, id: Uint8Array): number {
    for (let at = seq - 1; at > 0; at--) {
      const entry = this.ledger.entry(at);
      if (entry.kind === 'applied' && toHex(entry.id) === toHex(id)) return at;
    }
    throw new RangeError(`entry ${seq} takes back a block that the log does not hold`);
  }
}

/** Every row of the state that the reference has. */
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

function note(touched: Map<string, Seen>, { store, key, before, after }: RowChange, isReverted: boolean): void {
  const name = `${store}/${toHex(key)}`;
  if (!touched.has(name)) touched.set(name, { store, key, value: isReverted ? after : before });
}

function toText(value: Uint8Array | undefined): string | null {
  return value === undefined ? null : toHex(value);
}
