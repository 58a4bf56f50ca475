import type { UseCount } from './limit-state.js';

/** Maximum wait for a permit, in ms. Reference: GlobalPreemptibleStrategy.DEFAULT_ACQUIRE_TIMEOUT. */
const WAIT_MS = 2000;
/**
 * Maximum time in ms between two attempts of a queued call, if other threads may have released a permit. The actual
 * time is random, so that the threads take turns.
 */
const RETRY_MS_MAX = 5;

/**
 * Limits the number of concurrent calls. Further calls wait in order, and fail after two seconds. Reference:
 * GlobalPreemptibleStrategy.
 */
export class Permits {
  private readonly count: UseCount;
  private readonly waitMs: number;
  private readonly queue = new Set<() => void>();
  private retry: NodeJS.Timeout | undefined;

  constructor(count: UseCount, waitMs: number = WAIT_MS) {
    this.count = count;
    this.waitMs = waitMs;
  }

  /**
   * Waits for a permit. Returns true if the call received a permit, which it must release later. Returns false after
   * two seconds.
   */
  acquire(): boolean | Promise<boolean> {
    if (this.count.queued === 0 && this.tryAcquire()) return true;
    return new Promise((resolve) => {
      const take = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.queue.delete(take);
        this.count.setQueued(this.queue.size);
        resolve(false);
      }, this.waitMs);
      timer.unref();
      this.queue.add(take);
      this.count.setQueued(this.queue.size);
      this.retryLater();
    });
  }

  /** Takes a permit if one is available now. Returns true if a permit was taken. Never waits. */
  tryAcquire(): boolean {
    return this.count.take();
  }

  release(): void {
    this.count.release();
    // With several threads, a queued call of any thread takes the permit at its next attempt.
    if (this.count.threads === 1) this.serveQueue();
  }

  /** Passes the available permits to the queued calls, in order. */
  private serveQueue(): void {
    for (const take of this.queue) {
      if (!this.count.take()) break;
      this.queue.delete(take);
      take();
    }
    this.count.setQueued(this.queue.size);
  }

  private retryLater(): void {
    if (this.count.threads === 1 || this.retry !== undefined || this.queue.size === 0) return;
    this.retry = setTimeout(() => {
      this.retry = undefined;
      this.serveQueue();
      this.retryLater();
    }, Math.random() * RETRY_MS_MAX).unref();
  }
}
