/**
 * Time limit in ms for events that tests wait for. It is many times the time of the slowest machine, so it only ends a
 * test that would never end. It is no requirement on speed.
 */
export const PATIENCE_MS = 300_000;

/** The same limit for closing a forwarder. */
export const PATIENT = { quietMs: PATIENCE_MS, maxMs: PATIENCE_MS } as const;
