import { keyOrder } from './market-price-order.js';
import type { RangeOptions, Row } from './state-reader.js';
import type { StoreId } from './stores.js';

/** A row that lies over another view; without a value the row below does not exist any more. */
export interface OverlaidRow {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/**
 * Range read through an overlay: `base` and `over` must already be limited to the same bounds and in the same order (that of
 * {@link keyOrder}, descending with `reverse`); rows of `over` win. `limit` is applied here, so `base` has to be read without one.
 */
export function* mergeRows(
  store: StoreId,
  base: Iterable<Row>,
  over: Iterable<OverlaidRow>,
  options: Pick<RangeOptions, 'reverse' | 'limit'> = {},
): IterableIterator<Row> {
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
