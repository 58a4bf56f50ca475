import { toHex, toUtf8, utf8 } from '../primitives/bytes.js';
import type { StateReader } from '../projections/state/state-reader.js';
import { storeId } from '../projections/state/stores.js';
import type { LongProperty } from '../state-transition/parameters/property-table.js';
import type { State } from '../state-transition/state/state.js';

/** What a release does once with rows that an earlier one has written, by the mark that says that it is done. */
const steps: ReadonlyMap<LongProperty, (state: State, head: StateReader) => void> = new Map([
  ['TURKISH_KEY_MIGRATION_DONE', renameDotlessIds],
]);

/**
 * Does what the node's release does at its first start over older data, and marks it as done. A new chain begins with
 * the marks. The reference writes at its start; here what is written is part of the next block, as every change belongs
 * to an entry of the log.
 * Reference: Manager.init.
 */
export function runFirstStart(state: State, head: StateReader): void {
  for (const mark of state.rules.release.firstStart) {
    const step = steps.get(mark);
    if (step === undefined || state.properties.has(mark)) continue;
    step(state, head);
    state.properties.set(mark, 1n);
  }
}

/** What a Turkish machine makes of a capital I in lower case. */
const DOTLESS_I = '\u0131';

/**
 * Ids of accounts that were indexed on a Turkish machine get the key of all others, unless it is taken.
 * Reference: MigrateTurkishKeyHelper.
 */
function renameDotlessIds({ accountIdIndex }: State, head: StateReader): void {
  const rows = [...head.range(storeId('accountid-index'))];
  for (const { key, value } of rows) {
    const id = toUtf8(key);
    if (!id.includes(DOTLESS_I)) continue;
    const renamed = toHex(utf8(id.replaceAll(DOTLESS_I, 'i')));
    if ((accountIdIndex.get(renamed)?.length ?? 0) === 0) accountIdIndex.put(renamed, value);
    accountIdIndex.delete(toHex(key));
  }
}
