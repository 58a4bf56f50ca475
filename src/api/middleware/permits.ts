/** A caller waits this long for a permit. Reference: GlobalPreemptibleStrategy.DEFAULT_ACQUIRE_TIMEOUT. */
const WAIT_MS = 2000;

/**
 * Calls that may run at the same time. The others wait in order, and give up after two seconds.
 * Reference: GlobalPreemptibleStrategy.
 */
export class Permits {
  private free: number;
  private readonly waitMs: number;
  private readonly waiting = new Set<() => void>();

  /** @param count none is handed out with 0 or less */
  constructor(count: number, waitMs: number = WAIT_MS) {
    this.free = count;
    this.waitMs = waitMs;
  }

  /** Whether the caller got a permit, which it must give back. */
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

  /** The same without waiting. */
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
