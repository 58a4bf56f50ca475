import { toHex, toUtf8, utf8 } from '../primitives/bytes.js';
import { accounts } from '../projections/accounts.js';
import type { StateReader } from '../projections/state/state-reader.js';
import type { LongProperty } from '../state-transition/parameters/property-table.js';
import type { State } from '../state-transition/state/state.js';

/**
 * One-time migrations of rows that an earlier release wrote. The key is the chain property that marks a migration as
 * done.
 */
const steps: ReadonlyMap<LongProperty, (state: State, head: StateReader) => void> = new Map([
  ['TURKISH_KEY_MIGRATION_DONE', renameDotlessIds],
]);

/**
 * Runs the one-time migrations of the emulated release on data of an earlier release, and marks them as done. A new
 * chain has these marks from genesis on. Reference: Manager.init.
 *
 * java-tron migrates when it starts. Tronicle adds the changes to the changes of the next block, because every change
 * must be part of a log entry.
 */
export function runFirstStart(state: State, head: StateReader): void {
  for (const mark of state.rules.release.firstStart) {
    const step = steps.get(mark);
    if (step === undefined || state.properties.has(mark)) continue;
    step(state, head);
    state.properties.set(mark, 1n);
  }
}

/** Lower-case letter that Java's Turkish locale produces for a capital I. */
const DOTLESS_I = '\u0131';

/**
 * Corrects keys in the index of account ids. With Java's Turkish locale, java-tron wrote a dotless i (ı) for each
 * capital I. Moves such an entry to the key with the normal i. If the index already has that key, only deletes the
 * entry. Reference: MigrateTurkishKeyHelper.
 */
function renameDotlessIds({ accountIdIndex }: State, head: StateReader): void {
  const ids = [...accounts.at(head).ids()];
  for (const { id: key, address } of ids) {
    const id = toUtf8(key);
    if (!id.includes(DOTLESS_I)) continue;
    const renamed = toHex(utf8(id.replaceAll(DOTLESS_I, 'i')));
    if ((accountIdIndex.get(renamed)?.length ?? 0) === 0) accountIdIndex.put(renamed, address);
    accountIdIndex.delete(toHex(key));
  }
}
