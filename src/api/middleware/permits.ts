import type { UseCount } from './limit-state.js';

/** Maximum wait for a permit, in milliseconds. Reference: GlobalPreemptibleStrategy.DEFAULT_ACQUIRE_TIMEOUT. */
const WAIT_MS = 2000;
/**
 * Maximum time in milliseconds until a waiting call tries again, if other threads may have released a permit. The time
 * is random, so that the threads take turns.
 */
const RETRY_MS_MAX = 5;

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
    const { queue } = this.count;
    if ((queue === undefined || queue.total() === 0) && this.tryAcquire()) return true;
    return new Promise((resolve) => {
      const take = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.waiting.delete(take);
        queue?.set(this.waiting.size);
        resolve(false);
      }, this.waitMs);
      timer.unref();
      this.waiting.add(take);
      queue?.set(this.waiting.size);
      this.retryLater();
    });
  }

  /** Takes a permit if one is available now. Never waits. */
  tryAcquire(): boolean {
    return this.count.take();
  }

  release(): void {
    this.count.release();
    // If other threads have waiting calls too, all of them find the permit at their next attempt.
    if (this.count.queue === undefined) this.serveWaiting();
  }

  /** Gives the available permits to the waiting calls, in order. */
  private serveWaiting(): void {
    for (const take of this.waiting) {
      if (!this.count.take()) return;
      this.waiting.delete(take);
      take();
    }
  }

  private retryLater(): void {
    const { queue } = this.count;
    if (queue === undefined || this.retry !== undefined || this.waiting.size === 0) return;
    this.retry = setTimeout(() => {
      this.retry = undefined;
      this.serveWaiting();
      queue.set(this.waiting.size);
      this.retryLater();
    }, Math.random() * RETRY_MS_MAX).unref();
  }
}
