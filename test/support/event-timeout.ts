/**
 * Time limit in ms for events that tests wait for. It is many times the duration on the slowest machine, so that it
 * only ends a test whose event never happens. It does not test speed.
 */
export const EVENT_TIMEOUT_MS = 300_000;

/** Time limits for closing a forwarder: {@link EVENT_TIMEOUT_MS} for each. */
export const EVENT_TIME_LIMITS = { quietMs: EVENT_TIMEOUT_MS, maxMs: EVENT_TIMEOUT_MS } as const;
