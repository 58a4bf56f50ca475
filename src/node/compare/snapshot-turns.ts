import { setImmediate as turn } from 'node:timers/promises';

/**
 * Maximum time in ms between two turns of the event loop. A snapshot of the log ends with the turn. A longer one would
 * keep a running node from reusing free pages.
 */
const SNAPSHOT_MS_MAX = 200;

/** Returns a function for loops over the log. It waits for a turn of the event loop if the last one is too long ago. */
export function snapshotTurns(): () => Promise<void> {
  let turnEnd = Date.now() + SNAPSHOT_MS_MAX;
  return async () => {
    if (Date.now() < turnEnd) return;
    await turn();
    turnEnd = Date.now() + SNAPSHOT_MS_MAX;
  };
}
