import type { BlockLog } from '../../log/block-log.js';
import { equalBytes } from '../../primitives/bytes.js';
import type { StateCursor } from '../state/state-cursor.js';
import type { StateDatabase } from '../state/state-database.js';

/** Maximum number of attempts to get a consistent snapshot. */
const ATTEMPTS = 20;
/** Delay between two attempts, in ms. */
const WAIT_MS = 5;

/**
 * Takes consistent snapshots of log and state, which are two databases without a common transaction. All synchronous
 * reads after the call use these snapshots. The log snapshot is at least as new as the state snapshot.
 * @returns the cursor of the state; undefined if there is no state, or if log and state were on different branches in
 * all attempts (about 100 ms)
 */
export function takeSnapshots(blocks: BlockLog, state: StateDatabase): StateCursor | undefined {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    state.environment.refresh();
    // `cursor` opens the snapshot of the state. The log is refreshed afterwards, so its snapshot is at least as new.
    const cursor = state.cursor();
    blocks.refresh();
    if (cursor === undefined) return undefined;
    const canonical = blocks.index.heightRow(cursor.number);
    // The log is committed before the state. Between the two commits of a reorg, log and state are on different
    // branches.
    if (canonical !== undefined && equalBytes(canonical.id, cursor.id)) return cursor;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
  }
  return undefined;
}
