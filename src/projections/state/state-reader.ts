import type { StoreId } from './stores.js';

/** One stored row: the reference's key and value bytes. */
export interface StateRow {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

export interface RangeOptions {
  /** Only keys that begin with these bytes. */
  readonly prefix?: Uint8Array;
  /** First key, included when it exists; with `reverse` the highest one. */
  readonly from?: Uint8Array;
  readonly reverse?: boolean;
  /** Number of rows at most. */
  readonly limit?: number;
}

/**
 * The one read interface of every view: head, pending, solidified, `at(height)`. Bytes returned belong to the caller,
 * bytes given are not kept. Rows come in ascending order of their keys' bytes, those of `market_pair_price_to_order` in
 * the reference's price order.
 */
export interface StateReader {
  get(store: StoreId, key: Uint8Array): Uint8Array | undefined;
  range(store: StoreId, options?: RangeOptions): Iterable<StateRow>;
}

/** A row of genesis or of an import, with its store. */
export interface StoreRow extends StateRow {
  readonly store: StoreId;
}

/** What a block did to one row; `undefined` is "no such row". */
export interface RowChange {
  readonly store: StoreId;
  readonly key: Uint8Array;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}
