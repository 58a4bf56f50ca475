/**
 * Maximum time in ms before a loop over the log yields to the event loop. Until then, LMDB has an open read snapshot of
 * the log, and a running node cannot reuse free pages.
 */
export const SNAPSHOT_MS_MAX = 200;
