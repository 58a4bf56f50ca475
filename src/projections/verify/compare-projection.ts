import { equalBytes, toHex } from '../../primitives/bytes.js';
import { digestOfStores, RowSums } from '../checkpoints/base-rows.js';
import { sortedValue } from '../state/map-order.js';
import { keyOrder } from '../state/market-price-order.js';
import type { StateProjection } from '../state/state-projection.js';
import type { StateReader, StateRow } from '../state/state-reader.js';
import { type StoreId, storeName } from '../state/stores.js';

/** Row count of a projection, and the digest of its rows. */
interface ProjectionRows {
  readonly rows: number;
  /**
   * SHA-256 in hex over the row counts and row hashes of the stores. Map entries are sorted, as for the state digest.
   */
  readonly digest: string;
}

/**
 * A row that differs between two views. Key and values are in hex. A value is null if the row does not exist in the
 * view.
 */
interface MismatchedRow {
  readonly store: string;
  readonly key: string;
  readonly stored: string | null;
  readonly rebuilt: string | null;
}

interface ProjectionComparison {
  readonly stored: ProjectionRows;
  readonly rebuilt: ProjectionRows;
  /** The first row that differs; undefined if all rows are equal. */
  readonly firstMismatch: MismatchedRow | undefined;
}

/** Reads all rows of a projection in one view. */
export function readProjection(projection: StateProjection, view: StateReader): ProjectionRows {
  const sums = projection.storeIds.map((store) => {
    const sum = new RowSums(store);
    for (const { key, value } of view.range(store)) sum.add(key, value);
    return sum;
  });
  return rowsOf(sums);
}

/**
 * Reads all rows of a projection in two views, and finds the first row that differs. Stores are read in order of their
 * ids, rows in key order.
 */
export function compareProjection(
  projection: StateProjection,
  stored: StateReader,
  rebuilt: StateReader,
): ProjectionComparison {
  const sums = projection.storeIds.map((store) => [new RowSums(store), new RowSums(store)] as const);
  let firstMismatch: MismatchedRow | undefined;
  for (const [ofStored, ofRebuilt] of sums) {
    const { store } = ofStored;
    for (const [key, ours, theirs] of pairs(store, stored.range(store), rebuilt.range(store))) {
      if (ours !== undefined) ofStored.add(key, ours);
      if (theirs !== undefined) ofRebuilt.add(key, theirs);
      if (firstMismatch !== undefined || isSameRow(store, key, ours, theirs)) continue;
      firstMismatch = { store: storeName(store), key: toHex(key), stored: hexOf(ours), rebuilt: hexOf(theirs) };
    }
  }
  return {
    stored: rowsOf(sums.map(([ofStored]) => ofStored)),
    rebuilt: rowsOf(sums.map(([, ofRebuilt]) => ofRebuilt)),
    firstMismatch,
  };
}

/**
 * Iterates in key order over the keys of two range reads. Each element has a key and its value in each of the reads.
 */
function* pairs(
  store: StoreId,
  ours: Iterable<StateRow>,
  theirs: Iterable<StateRow>,
): IterableIterator<readonly [key: Uint8Array, ours: Uint8Array | undefined, theirs: Uint8Array | undefined]> {
  const order = keyOrder(store);
  const [left, right] = [ours[Symbol.iterator](), theirs[Symbol.iterator]()];
  let [a, b] = [left.next(), right.next()];
  while (a.done !== true || b.done !== true) {
    const compared = a.done === true ? 1 : b.done === true ? -1 : order(a.value.key, b.value.key);
    yield [
      compared <= 0 ? a.value.key : b.value.key,
      compared <= 0 ? a.value.value : undefined,
      compared >= 0 ? b.value.value : undefined,
    ];
    if (compared <= 0) a = left.next();
    if (compared >= 0) b = right.next();
  }
}

function rowsOf(sums: readonly RowSums[]): ProjectionRows {
  const stores = sums.map((sum) => ({ store: sum.store, rows: sum.rows, ...sum.finish() }));
  return { rows: stores.reduce((all, { rows }) => all + rows, 0), digest: toHex(digestOfStores(stores)) };
}

function isSameRow(
  store: StoreId,
  key: Uint8Array,
  ours: Uint8Array | undefined,
  theirs: Uint8Array | undefined,
): boolean {
  if (ours === undefined || theirs === undefined) return false;
  return equalBytes(ours, theirs) || equalBytes(sortedValue(store, key, ours), sortedValue(store, key, theirs));
}

function hexOf(value: Uint8Array | undefined): string | null {
  return value === undefined ? null : toHex(value);
}
