/** Maximum wait for a permit, in milliseconds. Reference: GlobalPreemptibleStrategy.DEFAULT_ACQUIRE_TIMEOUT. */
const WAIT_MS = 2000;

/**
 * Limits the number of concurrent calls. Further calls wait in order, and fail after two seconds.
 * Reference: GlobalPreemptibleStrategy.
 */
export class Permits {
  private free: number;
  private readonly waitMs: number;
  private readonly waiting = new Set<() => void>();

  /** @param count number of permits; if it is 0 or less, no call runs */
  constructor(count: number, waitMs: number = WAIT_MS) {
    this.free = count;
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
    });
  }

  /** Takes a permit if one is available now. Never waits. */
  tryAcquire(): boolean {
    if (this.free <= 0) return false;
    this.free--;
    return true;
  }

  release(): void {
    const [next] = this.waiting;
    if (next === undefined || this.free < 0) this.free++;
    else {
      this.waiting.delete(next);
      next();
    }
  }
}
