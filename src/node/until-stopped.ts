/** Ends with SIGTERM or SIGINT, or by the signal. */
export function untilStopped(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal?.addEventListener('abort', () => resolve(), { once: true });
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
}
