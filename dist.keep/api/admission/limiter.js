import { AddressRates } from './address-rates.js';
import { Permits } from './permits.js';
import { SmoothRate } from './smooth-rate.js';
import { readNumber, readPermits } from './strategy-parameters.js';
/** An address has its own rate for ten minutes. */
const ADDRESS_LIFE_MS = 600_000;
/** What an interface without a limit of its own allows per second. Reference: RateLimiterServlet, RateLimiterInterceptor. */
const DEFAULT_PER_SECOND = 1000;
/** Strategies by the names of the configuration. */
const strategies = new Map([
    [
        'GlobalPreemptibleAdapter',
        (text, _, warn) => {
            const permits = new Permits(readPermits(text, warn));
            return { acquire: () => permits.acquire(), release: () => permits.release() };
        },
    ],
    ['QpsRateLimiterAdapter', (text, nowMs, warn) => rateLimiter(readNumber(text, 100, warn), nowMs)],
    [
        'IPQPSRateLimiterAdapter',
        (text, _, warn) => {
            const rates = new AddressRates({ perSecond: readNumber(text, 2, warn), lifeMs: ADDRESS_LIFE_MS });
            return { waitMs: (address, now) => rates.reserve(address, now) };
        },
    ],
]);
/** The limiter of a strategy; undefined for a strategy that does not exist. */
export function createLimiter({ strategy, paramString }, nowMs, warn) {
    return strategies.get(strategy)?.(paramString, nowMs, warn);
}
export function defaultLimiter(nowMs) {
    return rateLimiter(DEFAULT_PER_SECOND, nowMs);
}
function rateLimiter(perSecond, nowMs) {
    const rate = new SmoothRate(perSecond, nowMs);
    return { waitMs: (_, now) => rate.reserve(now) };
}
//# sourceMappingURL=limiter.js.map