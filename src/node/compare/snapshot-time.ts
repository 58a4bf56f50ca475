/**
 * Maximum time in ms between two turns of the event loop in a loop over the log. A read snapshot of the log is kept
 * until the turn ends. While it is kept, a running node cannot reuse free pages.
 */
export const SNAPSHOT_MS_MAX = 200;
