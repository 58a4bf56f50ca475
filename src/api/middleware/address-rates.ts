import { dropOldest } from '../../primitives/drop-oldest.js';
import { SmoothRate } from './smooth-rate.js';

export interface AddressRatesOptions {
  /** Number of permits per second for each address. */
  readonly perSecond: number;
  /** Lifetime of the rate of an address, in ms from its first request. A later request starts a new rate. */
  readonly lifeMs: number;
}

/**
 * Maximum number of addresses. At this number, a new address evicts the least recently used one. Reference: the caches'
 * maximumSize.
 */
const ADDRESSES_MAX = 10_000;

/** Separate rate limits for each source address. Reference: GlobalRateLimiter, IPQpsStrategy. */
export class AddressRates {
  private readonly options: AddressRatesOptions;
  private readonly known = new Map<string, { readonly rate: SmoothRate; readonly sinceMs: number }>();

  constructor(options: AddressRatesOptions) {
    this.options = options;
  }

  /** Takes a permit for an address. @returns the time in ms until the permit may be used */
  reserve(address: string, nowMs: number): number {
    return this.rateOf(address, nowMs).reserve(nowMs);
  }

  /** Takes a permit for an address if one is available now. @returns true if a permit was taken */
  tryReserve(address: string, nowMs: number): boolean {
    return this.rateOf(address, nowMs).tryReserve(nowMs);
  }

  private rateOf(address: string, nowMs: number): SmoothRate {
    const { perSecond, lifeMs } = this.options;
    const found = this.known.get(address);
    const isFresh = found !== undefined && nowMs - found.sinceMs < lifeMs;
    const entry = isFresh ? found : { rate: new SmoothRate(perSecond, nowMs), sinceMs: nowMs };
    // A map iterates in insertion order, so the first entry is the least recently used.
    if (this.known.size > 1 || !isFresh) {
      this.known.delete(address);
      this.known.set(address, entry);
    }
    if (this.known.size > ADDRESSES_MAX) dropOldest(this.known);
    return entry.rate;
  }

  get size(): number {
    return this.known.size;
  }
}
