/**
 * Rate limiter (token bucket) with N permits per second. It starts with N permits. If no permit is stored, one call may
 * take a permit in advance. Further calls are rejected until that permit would have been available. Reference:
 * P2pRateLimiter over Guava's RateLimiter.
 */
export class RateBucket {
  private stored: number;
  /** Time from which the next permit is available, in ms. */
  private nextMs: number;
  private readonly rate: number;
  private readonly now: () => number;

  /** Creates a full bucket. @param rate permits per second; infinite for no limit */
  constructor(rate: number, now: () => number) {
    this.rate = rate;
    this.stored = rate;
    this.nextMs = now();
    this.now = now;
  }

  tryTake(): boolean {
    if (this.rate === Number.POSITIVE_INFINITY) return true;
    const nowMs = this.now();
    if (this.nextMs > nowMs) return false;
    this.stored = Math.min(this.rate, this.stored + ((nowMs - this.nextMs) * this.rate) / 1000);
    const used = Math.min(1, this.stored);
    this.stored -= used;
    this.nextMs = nowMs + ((1 - used) * 1000) / this.rate;
    return true;
  }
}
