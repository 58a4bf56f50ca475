/**
 * Hands out permits at a steady rate and keeps what was not used for one second. A caller takes its permit at once and
 * waits until it is due, so that a request pays for the one before it.
 * Reference: RateLimiter.create, RateLimiter.acquire (Guava's SmoothBursty).
 */
export class SmoothRate {
  private readonly perSecond: number;
  private stored = 0;
  private nextMs: number;

  /**
   * @param perSecond above 0; Infinity never waits
   * @param nowMs time of a clock that never goes back
   */
  constructor(perSecond: number, nowMs: number) {
    this.perSecond = perSecond;
    this.nextMs = nowMs;
  }

  /** Takes one permit. @returns ms until it is due, 0 for now */
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

  /** Takes one permit where it is due now. Reference: RateLimiter.tryAcquire. @returns whether it was */
  tryReserve(nowMs: number): boolean {
    if (this.nextMs > nowMs) return false;
    this.reserve(nowMs);
    return true;
  }
}
