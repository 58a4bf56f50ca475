/**
 * Wakes the readers of a log after each commit. A reader compares counts of notifications, so it misses no notification
 * between two waits.
 */
export interface LogNotices {
  /** Number of notifications so far. */
  readonly notifications: number;
  /** True once the log is closed. Readers then end. */
  readonly isClosed: boolean;
  /** Resolves when `notifications` differs from `seen`, or when the signal aborts. */
  notifiedAfter(seen: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Notifies readers in all threads of new committed entries, with `Atomics.notify` on a shared counter. A reading thread
 * receives the memory of the counter in its start message.
 */
export class LogNotifier implements LogNotices {
  readonly counter: Int32Array;
  private closed = false;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.counter = new Int32Array(buffer);
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /** Number of notifications, modulo 2^32. */
  get notifications(): number {
    return Atomics.load(this.counter, 0);
  }

  notify(): void {
    Atomics.add(this.counter, 0, 1);
    Atomics.notify(this.counter, 0);
  }

  /**
   * Waits until the count differs from `seen`. A timer keeps the thread alive during the wait, because a pending
   * `waitAsync` does not keep it alive.
   */
  async notifiedAfter(seen: number, signal?: AbortSignal): Promise<void> {
    const stop = (): void => this.notify();
    const stayAlive = setInterval(() => undefined, 2 ** 30);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      if (signal?.aborted !== true) await Atomics.waitAsync(this.counter, 0, seen).value;
    } finally {
      signal?.removeEventListener('abort', stop);
      clearInterval(stayAlive);
    }
  }

  close(): void {
    this.closed = true;
    this.notify();
  }
}
