import { AddressRates } from './address-rates.js';
import { Permits } from './permits.js';
import { SmoothRate } from './smooth-rate.js';
import { readNumber, readPermits } from './strategy-parameters.js';

/** Limit of one interface. */
export interface Limiter {
  /** ms that a caller has to wait first. */
  waitMs?(address: string, nowMs: number): number;
  /** Where a number of calls at once is limited: whether the caller may run. */
  acquire?(): boolean | Promise<boolean>;
  /** Ends a call that `acquire` let run. */
  release?(): void;
}

/** Element of `rate.limiter.http` or `rate.limiter.rpc`. */
export interface InterfaceLimit {
  readonly component: string;
  readonly strategy: string;
  readonly paramString: string;
}

type Make = (paramString: string, nowMs: number, warn: (text: string) => void) => Limiter;

/** An address has its own rate for ten minutes. */
const ADDRESS_LIFE_MS = 600_000;
/** What an interface without a limit of its own allows per second. Reference: RateLimiterServlet, RateLimiterInterceptor. */
const DEFAULT_PER_SECOND = 1000;

/** Strategies by the names of the configuration. */
const strategies: ReadonlyMap<string, Make> = new Map<string, Make>([
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
export function createLimiter(
  { strategy, paramString }: InterfaceLimit,
  nowMs: number,
  warn: (text: string) => void,
): Limiter | undefined {
  return strategies.get(strategy)?.(paramString, nowMs, warn);
}

export function defaultLimiter(nowMs: number): Limiter {
  return rateLimiter(DEFAULT_PER_SECOND, nowMs);
}

function rateLimiter(perSecond: number, nowMs: number): Limiter {
  const rate = new SmoothRate(perSecond, nowMs);
  return { waitMs: (_, now) => rate.reserve(now) };
}
