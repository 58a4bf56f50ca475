import { SmoothRate } from './smooth-rate.js';
/** Addresses that are told apart; the one that was unused longest goes first. Reference: the caches' maximumSize. */
const ADDRESSES_MAX = 10_000;
/** One rate per source address. Reference: GlobalRateLimiter, IPQpsStrategy. */
export class AddressRates {
    options;
    known = new Map();
    constructor(options) {
        this.options = options;
    }
    /** Takes one permit of an address. @returns ms until it is due */
    reserve(address, nowMs) {
        const { perSecond, lifeMs } = this.options;
        const found = this.known.get(address);
        const isFresh = found !== undefined && nowMs - found.sinceMs < lifeMs;
        const entry = isFresh ? found : { rate: new SmoothRate(perSecond, nowMs), sinceMs: nowMs };
        // A map keeps the order of writing, so the first one is always the longest unused.
        if (this.known.size > 1 || !isFresh) {
            this.known.delete(address);
            this.known.set(address, entry);
        }
        if (this.known.size > ADDRESSES_MAX)
            this.known.delete(this.known.keys().next().value);
        return entry.rate.reserve(nowMs);
    }
    get size() {
        return this.known.size;
    }
}
//# sourceMappingURL=address-rates.js.map