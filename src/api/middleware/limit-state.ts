import { AddressRates, type AddressRatesOptions } from './address-rates.js';
import { SmoothRate } from './smooth-rate.js';

/** A limit of calls per second. */
export interface CallRate {
  /** Takes a permit. @returns the time in ms until the permit may be used; 0 if it may be used now */
  reserve(nowMs: number): number;
  /** Takes a permit if one is available now. @returns true if a permit was taken */
  tryReserve(nowMs: number): boolean;
}

/** A limit of calls per second for each source address. */
export interface CallRatesByAddress {
  /** Takes a permit for an address. @returns the time in ms until the permit may be used */
  reserve(address: string, nowMs: number): number;
  /** Takes a permit for an address if one is available now. @returns true if a permit was taken */
  tryReserve(address: string, nowMs: number): boolean;
}

/**
 * Counts resources in use, such as connections, up to a maximum. At the maximum, each thread has its own queue of
 * callers. While callers are queued in any thread, a new caller must not take a resource.
 */
export interface UseCount {
  /**
   * Number of threads that share the count. If there are several, a release in one thread does not notify the others.
   */
  readonly threads: number;
  /** Number of queued callers in all threads together. */
  readonly queued: number;
  /** Increments the count if it is below the maximum. @returns true if the count was incremented */
  take(): boolean;
  release(): void;
  /** Sets the number of queued callers of this thread. */
  setQueued(length: number): void;
}

/**
 * Creates the state of the configured limits, either in the memory of this thread or in shared memory. In shared
 * memory, all threads that use the same name share one state.
 */
export interface LimitState {
  /** Returns the state of a rate. @param sinceMs time from which unused permits are stored */
  rate(name: string, perSecond: number, sinceMs: number): CallRate;
  addressRates(name: string, options: AddressRatesOptions): CallRatesByAddress;
  /** Returns the state of a count. @param max maximum of the count; at 0 or less, every `take` fails */
  count(name: string, max: number): UseCount;
  /** Returns the monotonic time in ms. All threads that share the state have the same time. */
  nowMs(): number;
}

/** Count in the memory of this thread. */
class OwnCount implements UseCount {
  readonly threads = 1;
  queued = 0;
  private free: number;

  constructor(max: number) {
    this.free = max;
  }

  take(): boolean {
    if (this.free <= 0) return false;
    this.free--;
    return true;
  }

  release(): void {
    this.free++;
  }

  setQueued(length: number): void {
    this.queued = length;
  }
}

/** Limits that only this thread applies. */
export const ownLimits: LimitState = {
  rate: (_, perSecond, sinceMs) => new SmoothRate(perSecond, sinceMs),
  addressRates: (_, options) => new AddressRates(options),
  count: (_, max) => new OwnCount(max),
  nowMs: () => performance.now(),
};
