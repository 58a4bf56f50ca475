/**
 * Maximum time in ms for which a loop over the log runs before it yields to the event loop. LMDB keeps a read snapshot
 * of the log until then. Meanwhile, a running node cannot reuse free pages.
 */
export const SNAPSHOT_MS_MAX = 200;
