/** Resolves at SIGTERM, SIGINT, or when the signal aborts. */
export function untilStopped(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal?.addEventListener('abort', () => resolve(), { once: true });
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
}
