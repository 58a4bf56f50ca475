import { dropOldest } from '../../primitives/drop-oldest.js';
import { SmoothRate } from './smooth-rate.js';

interface AddressRatesOptions {
  /** Permits per second for each address. */
  readonly perSecond: number;
  /** An address gets a new limiter this long after its first request. */
  readonly lifeMs: number;
}

/** Addresses that are told apart; the one that was unused longest goes first. Reference: the caches' maximumSize. */
const ADDRESSES_MAX = 10_000;

/** One rate per source address. Reference: GlobalRateLimiter, IPQpsStrategy. */
export class AddressRates {
  private readonly options: AddressRatesOptions;
  private readonly known = new Map<string, { readonly rate: SmoothRate; readonly sinceMs: number }>();

  constructor(options: AddressRatesOptions) {
    this.options = options;
  }

  /** Takes one permit of an address. @returns ms until it is due */
  reserve(address: string, nowMs: number): number {
    return this.rateOf(address, nowMs).reserve(nowMs);
  }

  /** Takes one permit of an address where it is due now. @returns whether it was */
  tryReserve(address: string, nowMs: number): boolean {
    return this.rateOf(address, nowMs).tryReserve(nowMs);
  }

  private rateOf(address: string, nowMs: number): SmoothRate {
    const { perSecond, lifeMs } = this.options;
    const found = this.known.get(address);
    const isFresh = found !== undefined && nowMs - found.sinceMs < lifeMs;
    const entry = isFresh ? found : { rate: new SmoothRate(perSecond, nowMs), sinceMs: nowMs };
    // A map keeps the order of writing, so the first one is always the longest unused.
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
