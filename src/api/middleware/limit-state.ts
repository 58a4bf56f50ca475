import { AddressRates, type AddressRatesOptions } from './address-rates.js';
import { SmoothRate } from './smooth-rate.js';

/** A limit of calls per second. */
export interface CallRate {
  /** Takes a permit. @returns the time in milliseconds until the permit may be used; 0 for now */
  reserve(nowMs: number): number;
  /** Takes a permit if one is available now. @returns true if taken */
  tryReserve(nowMs: number): boolean;
}

/** A limit of calls per second for each source address. */
export interface CallRatesByAddress {
  /** Takes a permit for an address. @returns the time in milliseconds until the permit may be used */
  reserve(address: string, nowMs: number): number;
  /** Takes a permit for an address if one is available now. @returns true if taken */
  tryReserve(address: string, nowMs: number): boolean;
}

/**
 * Counts resources in use, such as connections, up to a maximum. At the maximum, each thread queues its own callers. A
 * new caller must not take a resource while callers are queued in any thread.
 */
export interface UseCount {
  /** Number of threads that share the count. If there are several, the others are not notified of a release. */
  readonly threads: number;
  /** Number of queued callers of all threads. */
  readonly queued: number;
  /** Counts one more, if the maximum allows it. @returns true if counted */
  take(): boolean;
  release(): void;
  /** Sets the number of queued callers of this thread. */
  setQueued(length: number): void;
}

/**
 * Creates the state of the configured limits: in the memory of this thread, or in memory that several threads share.
 * The same name has the same state in all threads.
 */
export interface LimitState {
  /** @param sinceMs time from which unused permits are stored */
  rate(name: string, perSecond: number, sinceMs: number): CallRate;
  addressRates(name: string, options: AddressRatesOptions): CallRatesByAddress;
  /** @param max maximum; at 0 or less, every `take` fails */
  count(name: string, max: number): UseCount;
  /** Returns the monotonic time in milliseconds, the same in all threads that share the state. */
  nowMs(): number;
}

/** Counts in the memory of this thread. */
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
