import type { UseCount } from './limit-state.js';

/** Maximum wait for a permit, in milliseconds. Reference: GlobalPreemptibleStrategy.DEFAULT_ACQUIRE_TIMEOUT. */
const WAIT_MS = 2000;
/** Interval in milliseconds at which a waiting call tries again, if another thread may have released a permit. */
const RETRY_MS = 5;

/**
 * Limits the number of concurrent calls. Further calls wait in order, and fail after two seconds.
 * Reference: GlobalPreemptibleStrategy.
 */
export class Permits {
  private readonly count: UseCount;
  private readonly waitMs: number;
  private readonly waiting = new Set<() => void>();
  private retry: NodeJS.Timeout | undefined;

  constructor(count: UseCount, waitMs: number = WAIT_MS) {
    this.count = count;
    this.waitMs = waitMs;
  }

  /** Waits for a permit. Returns true if the caller received one. The caller must then release it. */
  acquire(): boolean | Promise<boolean> {
    if (this.tryAcquire()) return true;
    return new Promise((resolve) => {
      const take = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.waiting.delete(take);
        resolve(false);
      }, this.waitMs);
      timer.unref();
      this.waiting.add(take);
      if (this.count.isShared) this.retry ??= setInterval(() => this.serveWaiting(), RETRY_MS).unref();
    });
  }

  /** Takes a permit if one is available now. Never waits. */
  tryAcquire(): boolean {
    return this.count.take();
  }

  release(): void {
    this.count.release();
    this.serveWaiting();
  }

  /** Gives the available permits to the waiting calls, in order. */
  private serveWaiting(): void {
    for (const take of this.waiting) {
      if (!this.count.take()) return;
      this.waiting.delete(take);
      take();
    }
    clearInterval(this.retry);
    this.retry = undefined;
  }
}
