import { JavaHashMap, javaHashOfHex } from '../../java-compat/hash-map.js';
import type { State } from '../../state-transition/state/state.js';
import type { Table } from '../../state-transition/state/table.js';
import type { ChainView } from '../context/api-context.js';

/**
 * Most rows of one page.
 * Reference: ASSET_ISSUE_COUNT_LIMIT_MAX, PROPOSAL_COUNT_LIMIT_MAX, EXCHANGE_COUNT_LIMIT_MAX.
 */
export const LIST_PAGE_MAX = 1000n;

/** The view whose rows the reference runs over, where it does not ask for one. Reference: SnapshotImpl.collect. */
export function listedView(view: ChainView): ChainView {
  return view.listed ?? view;
}

/**
 * All rows of a table in the order in which the reference lists them: what the unsolidified blocks have written comes
 * first, in the order of a hash map over the keys, then the rest by key. Reference: SnapshotImpl.iterator.
 */
export function listRows<T>(
  given: ChainView,
  tableOf: (state: State) => Table<T>,
): (readonly [key: string, value: T])[] {
  const view = listedView(given);
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

/** As `listRows`, the values alone. */
export function listValues<T>(view: ChainView, tableOf: (state: State) => Table<T>): T[] {
  return listRows(view, tableOf).map(([, value]) => value);
}
