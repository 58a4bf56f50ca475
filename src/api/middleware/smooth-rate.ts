/** State of a rate. It consists of numbers, so that it can be in shared memory. */
interface RateState {
  /** Number of unused permits. */
  stored: number;
  /** Monotonic time in ms at which the next permit is valid. */
  nextMs: number;
}

/**
 * Takes a permit of a rate and updates its state. Reference: RateLimiter.acquire (Guava's SmoothBursty).
 * @returns the time in ms until the permit may be used; 0 if it may be used now
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
 * Issues permits at a steady rate. Stores at most the unused permits of one second. A call gets its permit immediately,
 * but must wait until the permit is valid. Each permit delays only the permits after it. Reference: RateLimiter.create
 * (Guava's SmoothBursty).
 */
export class SmoothRate {
  private readonly perSecond: number;
  private readonly state: RateState;

  /** @param perSecond permits per second, above 0; if Infinity, no call waits @param nowMs monotonic time in ms */
  constructor(perSecond: number, nowMs: number) {
    this.perSecond = perSecond;
    this.state = { stored: 0, nextMs: nowMs };
  }

  /** Takes a permit. @returns the time in ms until the permit may be used; 0 if it may be used now */
  reserve(nowMs: number): number {
    return reservePermit(this.state, this.perSecond, nowMs);
  }

  /** Takes a permit if one is available now. Reference: RateLimiter.tryAcquire. @returns true if a permit was taken */
  tryReserve(nowMs: number): boolean {
    if (this.state.nextMs > nowMs) return false;
    this.reserve(nowMs);
    return true;
  }
}
