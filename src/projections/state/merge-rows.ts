import { equalBytes } from '../../primitives/bytes.js';
import { keyOrder } from './market-price-order.js';
import { keyOfOrdered, type OrderedRange, orderedRange } from './ordered-key.js';
import type { SortedRows } from './sorted-rows.js';
import type { RangeOptions, StateReader, StateRow } from './state-reader.js';
import type { StoreId } from './stores.js';

/**
 * New value of a row, which replaces the row of an underlying view. An undefined value means that the row is deleted.
 */
export interface OverlaidRow {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/**
 * Reads a range of the state `base`, with `rows` on top. A row of `rows` replaces the row of `base` with the same
 * key.
 * @param valueNow returns the value of a row of `rows`; undefined if the row is deleted
 */
export function rangeOver<Value>(
  base: StateReader,
  rows: SortedRows<Value>,
  valueNow: (row: Value) => Uint8Array | undefined,
  store: StoreId,
  options: RangeOptions,
): Iterable<StateRow> {
  // If there are no rows on top, reads `base` directly, because a nested generator makes short reads slower.
  if (rows.size === 0) return base.range(store, options);
  const { limit: _, ...unlimited } = options;
  const over = overlaid(rows, valueNow, orderedRange(store, unlimited));
  return mergeRows(store, base.range(store, unlimited), over, options);
}

function* overlaid<Value>(
  rows: SortedRows<Value>,
  valueNow: (row: Value) => Uint8Array | undefined,
  bounds: OrderedRange,
): IterableIterator<OverlaidRow> {
  for (const [text, row] of rows.range(bounds)) {
    const key = keyOfOrdered(Buffer.from(text, 'latin1'));
    if (bounds.prefix !== undefined && !equalBytes(key.subarray(0, bounds.prefix.length), bounds.prefix)) continue;
    yield { key, value: valueNow(row) };
  }
}

/**
 * Merges the rows of a range with newer rows. `base` and `over` must have the same bounds and the same order: {@link
 * keyOrder}, descending with `reverse`. A row of `over` replaces the row of `base` with the same key, and an undefined
 * value deletes it. `limit` counts merged rows, so `base` must be read without a limit.
 */
export function* mergeRows(
  store: StoreId,
  base: Iterable<StateRow>,
  over: Iterable<OverlaidRow>,
  options: Pick<RangeOptions, 'reverse' | 'limit'> = {},
): IterableIterator<StateRow> {
  const order = keyOrder(store);
  const sign = options.reverse === true ? -1 : 1;
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  if (left <= 0) return;
  const overlay = over[Symbol.iterator]();
  let top = overlay.next();
  for (const row of base) {
    let covered = false;
    while (top.done !== true) {
      const compared = order(top.value.key, row.key) * sign;
      if (compared > 0) break;
      const { key, value } = top.value;
      top = overlay.next();
      if (value !== undefined) {
        yield { key, value };
        if (--left <= 0) return;
      }
      if (compared === 0) {
        covered = true;
        break;
      }
    }
    if (covered) continue;
    yield row;
    if (--left <= 0) return;
  }
  for (; top.done !== true; top = overlay.next()) {
    const { key, value } = top.value;
    if (value === undefined) continue;
    yield { key, value };
    if (--left <= 0) return;
  }
}
