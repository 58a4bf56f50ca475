/**
 * How long a test waits for what must happen, ms: many times what the slowest machine needed. It only ends what would
 * never end; nothing is said about speed.
 */
export const PATIENCE_MS = 300_000;

/** The same for a forwarder that is closed. */
export const PATIENT = { quietMs: PATIENCE_MS, maxMs: PATIENCE_MS } as const;
