import { setImmediate as turn } from 'node:timers/promises';

/**
 * Maximum time in ms between two turns of the event loop. A read snapshot of the log is kept until the turn ends. While
 * it is kept, a running node cannot reuse free pages.
 */
const SNAPSHOT_MS_MAX = 200;

/**
 * Returns a function to call in each round of a loop over the log. It waits for the next turn of the event loop if the
 * current one has lasted too long.
 */
export function snapshotTurns(): () => Promise<void> {
  let turnEnd = Date.now() + SNAPSHOT_MS_MAX;
  return async () => {
    if (Date.now() < turnEnd) return;
    await turn();
    turnEnd = Date.now() + SNAPSHOT_MS_MAX;
  };
}
