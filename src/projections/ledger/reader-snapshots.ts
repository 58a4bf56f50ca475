import type { BlockLog } from '../../log/block-log.js';
import { equalBytes } from '../../primitives/bytes.js';
import type { StateCursor } from '../state/state-cursor.js';
import type { StateDatabase } from '../state/state-database.js';

/** How often, and how long in between, a reader looks for a commit of which it has seen the first half. */
const ATTEMPTS = 20;
const WAIT_MS = 5;

/**
 * Lets a reader see what the writer has committed to log and state: two files, which one transaction cannot span. What
 * is read synchronously behind it is one snapshot, whose log is never older than its state.
 * @returns where the state stands; undefined where log and state still speak of two branches after 100 ms, or there is
 * no state
 */
export function takeSnapshots(blocks: BlockLog, state: StateDatabase): StateCursor | undefined {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    state.environment.refresh();
    // Reading it begins the snapshot of the state: what the log is asked for afterwards is there at least as far.
    const cursor = state.cursor();
    blocks.refresh();
    if (cursor === undefined) return undefined;
    const canonical = blocks.index.heightRow(cursor.number);
    // The log is committed before the state: in between, after a switch, the two speak of different branches.
    if (canonical !== undefined && equalBytes(canonical.id, cursor.id)) return cursor;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
  }
  return undefined;
}
