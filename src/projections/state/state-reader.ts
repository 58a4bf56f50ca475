import type { StoreId } from './stores.js';

/** One stored row: key and value as in java-tron. */
export interface StateRow {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

export interface RangeOptions {
  /** Limits the range to keys with this prefix. */
  readonly prefix?: Uint8Array;
  /** First key, inclusive. With `reverse`, this is the highest key. */
  readonly from?: Uint8Array;
  readonly reverse?: boolean;
  /** Maximum number of rows. */
  readonly limit?: number;
}

/**
 * Read interface of all state views: head, pending, solidified, `at(height)`. The caller must not modify returned
 * bytes, because a view may return its own arrays. The reader does not retain arguments. Rows are in ascending key
 * order, except in `market_pair_price_to_order`, which is in the price order of java-tron.
 */
export interface StateReader {
  get(store: StoreId, key: Uint8Array): Uint8Array | undefined;
  range(store: StoreId, options?: RangeOptions): Iterable<StateRow>;
}

/** A row of genesis or of an import, and its store. */
export interface StoreRow extends StateRow {
  readonly store: StoreId;
}

/** Change of one row by a block. An undefined value means that the row does not exist. */
export interface RowChange {
  readonly store: StoreId;
  readonly key: Uint8Array;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}
