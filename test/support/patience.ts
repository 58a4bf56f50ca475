/**
 * Time limit in ms for events that tests wait for. It is many times the duration on the slowest machine. It only ends a
 * test that would never end, and is no requirement on speed.
 */
export const PATIENCE_MS = 300_000;

/** Time limits for closing a forwarder: {@link PATIENCE_MS} for each. */
export const PATIENT = { quietMs: PATIENCE_MS, maxMs: PATIENCE_MS } as const;
