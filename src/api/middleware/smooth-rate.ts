/** State of a rate: numbers only, so that it can be in shared memory. */
interface RateState {
  /** Permits that were not used. */
  stored: number;
  /** Monotonic time in milliseconds at which the next permit is valid. */
  nextMs: number;
}

/**
 * Takes a permit of a rate. Changes its state.
 * Reference: RateLimiter.acquire (Guava's SmoothBursty).
 * @returns the time in milliseconds until the permit may be used; 0 for now
 */
export function reservePermit(state: RateState, perSecond: number, nowMs: number): number {
  const intervalMs = 1000 / perSecond;
  if (nowMs > state.nextMs) {
    state.stored = Math.min(perSecond, state.stored + (nowMs - state.nextMs) / intervalMs);
    state.nextMs = nowMs;
  }
  const waitMs = state.nextMs - nowMs;
  const fromStore = Math.min(1, state.stored);
  state.stored -= fromStore;
  state.nextMs += (1 - fromStore) * intervalMs;
  return waitMs;
}

/**
 * Issues permits at a steady rate. Stores the unused permits of up to one second. A caller gets its permit at once, but
 * must wait until the permit is valid. Each permit delays only the permits after it.
 * Reference: RateLimiter.create (Guava's SmoothBursty).
 */
export class SmoothRate {
  private readonly perSecond: number;
  private readonly state: RateState;

  /**
   * @param perSecond permits per second, above 0; with Infinity no call waits
   * @param nowMs monotonic time in milliseconds
   */
  constructor(perSecond: number, nowMs: number) {
    this.perSecond = perSecond;
    this.state = { stored: 0, nextMs: nowMs };
  }

  /** Takes a permit. @returns the time in milliseconds until the permit may be used; 0 for now */
  reserve(nowMs: number): number {
    return reservePermit(this.state, this.perSecond, nowMs);
  }

  /** Takes a permit if one is available now. Reference: RateLimiter.tryAcquire. @returns true if taken */
  tryReserve(nowMs: number): boolean {
    if (this.state.nextMs > nowMs) return false;
    this.reserve(nowMs);
    return true;
  }
}
