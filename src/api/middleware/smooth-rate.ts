/**
 * Issues permits at a steady rate. Stores the unused permits of up to one second. A caller gets its permit at once, but
 * must wait until the permit is valid. Each permit delays only the permits after it.
 * Reference: RateLimiter.create, RateLimiter.acquire (Guava's SmoothBursty).
 */
export class SmoothRate {
  private readonly perSecond: number;
  private stored = 0;
  private nextMs: number;

  /**
   * @param perSecond permits per second, above 0; with Infinity no call waits
   * @param nowMs monotonic time in milliseconds
   */
  constructor(perSecond: number, nowMs: number) {
    this.perSecond = perSecond;
    this.nextMs = nowMs;
  }

  /** Takes a permit. @returns the time in milliseconds until the permit may be used; 0 for now */
  reserve(nowMs: number): number {
    const intervalMs = 1000 / this.perSecond;
    if (nowMs > this.nextMs) {
      this.stored = Math.min(this.perSecond, this.stored + (nowMs - this.nextMs) / intervalMs);
      this.nextMs = nowMs;
    }
    const waitMs = this.nextMs - nowMs;
    const fromStore = Math.min(1, this.stored);
    this.stored -= fromStore;
    this.nextMs += (1 - fromStore) * intervalMs;
    return waitMs;
  }

  /** Takes a permit if one is available now. Reference: RateLimiter.tryAcquire. @returns true if taken */
  tryReserve(nowMs: number): boolean {
    if (this.nextMs > nowMs) return false;
    this.reserve(nowMs);
    return true;
  }
}
