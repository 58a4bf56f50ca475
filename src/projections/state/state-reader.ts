import type { StoreId } from './stores.js';

/** One stored row, with the key and value bytes of the reference. */
export interface StateRow {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

export interface RangeOptions {
  /** Only keys with this prefix. */
  readonly prefix?: Uint8Array;
  /** First key, inclusive; with `reverse` the highest key. */
  readonly from?: Uint8Array;
  readonly reverse?: boolean;
  /** Maximum number of rows. */
  readonly limit?: number;
}

/**
 * Read interface of all state views: head, pending, solidified, `at(height)`. Returned bytes belong to the caller, and
 * arguments are not retained. Rows are in ascending key order. Only `market_pair_price_to_order` is in the price order
 * of the reference.
 */
export interface StateReader {
  get(store: StoreId, key: Uint8Array): Uint8Array | undefined;
  range(store: StoreId, options?: RangeOptions): Iterable<StateRow>;
}

/** A row of genesis or of an import, with its store. */
export interface StoreRow extends StateRow {
  readonly store: StoreId;
}

/** The change of one row by a block; `undefined`: the row does not exist. */
export interface RowChange {
  readonly store: StoreId;
  readonly key: Uint8Array;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}
