import { JavaHashMap, javaHashOfHex } from '../../java-compat/hash-map.js';
import type { State } from '../../state-transition/state/state.js';
import type { Table } from '../../state-transition/state/table.js';
import type { ChainView } from '../context/api-context.js';

/**
 * Maximum number of rows per page.
 * Reference: ASSET_ISSUE_COUNT_LIMIT_MAX, PROPOSAL_COUNT_LIMIT_MAX, EXCHANGE_COUNT_LIMIT_MAX.
 */
export const LIST_PAGE_MAX = 1000n;

/**
 * Returns the view from which java-tron lists the rows of a table. On some ports, java-tron reads single rows from a
 * different view. Reference: SnapshotImpl.collect.
 */
export function listedView(view: ChainView): ChainView {
  return view.listed ?? view;
}

/**
 * Returns all rows of a table in java-tron's order. First are the rows that java-tron has only in memory (of unflushed
 * blocks and of pending transactions), in the order of a Java hash map. The other rows follow, ordered by key.
 * Reference: SnapshotImpl.iterator.
 */
export function listRows<T>(
  requestedView: ChainView,
  tableOf: (state: State) => Table<T>,
): (readonly [key: string, value: T])[] {
  const view = listedView(requestedView);
  const table = tableOf(view.state);
  const rows = new Map(table.range());
  const recent = new JavaHashMap<string, T>(javaHashOfHex);
  for (const key of view.recentKeys(table)) {
    const value = rows.get(key);
    if (value !== undefined) recent.set(key, value);
  }
  for (const [key] of recent.entries()) rows.delete(key);
  return [...recent.entries(), ...rows];
}

/** Returns the values of all rows in the order of `listRows`. */
export function listValues<T>(view: ChainView, tableOf: (state: State) => Table<T>): T[] {
  return listRows(view, tableOf).map(([, value]) => value);
}
