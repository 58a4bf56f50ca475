import { AddressRates } from './address-rates.js';
import { Permits } from './permits.js';
import { SmoothRate } from './smooth-rate.js';
import { readNumber, readPermits } from './strategy-parameters.js';

/** Rate limit of an interface. */
export interface Limiter {
  /** Returns the milliseconds that a caller must wait before it runs. */
  waitMs?(address: string, nowMs: number): number;
  /** Returns true if the caller may run now. Never waits. */
  tryWait?(address: string, nowMs: number): boolean;
  /** Takes a permit of a concurrency limit. Returns true if the caller may run. */
  acquire?(): boolean | Promise<boolean>;
  /** Takes a permit if one is available now. Never waits. */
  tryAcquire?(): boolean;
  /** Returns a permit that `acquire` took. */
  release?(): void;
}

/** Configured limit: an element of `rate.limiter.http` or `rate.limiter.rpc`. */
export interface InterfaceLimit {
  readonly component: string;
  readonly strategy: string;
  readonly paramString: string;
}

interface Making {
  /**
   * Rate for a configured strategy that has no rate parameter; undefined: a limit without that parameter is invalid.
   */
  readonly fallbackQps: number | undefined;
  readonly nowMs: number;
  readonly warn: (text: string) => void;
}

type Make = (paramString: string, making: Making) => Limiter | undefined;

/** Lifetime of the rate of an address, in milliseconds. */
const ADDRESS_LIFE_MS = 600_000;
/** Strategies by their names in the configuration. */
const strategies: ReadonlyMap<string, Make> = new Map<string, Make>([
  [
    'GlobalPreemptibleAdapter',
    (text, { warn }) => {
      const permits = new Permits(readPermits(text, warn));
      return {
        acquire: () => permits.acquire(),
        tryAcquire: () => permits.tryAcquire(),
        release: () => permits.release(),
      };
    },
  ],
  ['QpsRateLimiterAdapter', byCalls],
  [
    'IPQPSRateLimiterAdapter',
    (text, { warn }) => {
      const rates = new AddressRates({ perSecond: readNumber(text, 2, warn), lifeMs: ADDRESS_LIFE_MS });
      return {
        waitMs: (address, now) => rates.reserve(address, now),
        tryWait: (address, now) => rates.tryReserve(address, now),
      };
    },
  ],
]);

/** Creates the limiter of a strategy. Returns undefined for an unknown strategy or invalid parameters. */
export function createLimiter({ strategy, paramString }: InterfaceLimit, making: Making): Limiter | undefined {
  return strategies.get(strategy)?.(paramString, making);
}

/**
 * Creates a limit of calls per second. In later releases a missing rate is an error, because java-tron's default has a
 * different type than its parser expects. Reference: QpsStrategy.
 */
function byCalls(text: string, { fallbackQps, nowMs, warn }: Making): Limiter | undefined {
  const perSecond = readNumber(text, fallbackQps, warn);
  return perSecond === undefined ? undefined : rateLimiter(perSecond, nowMs);
}

/** Creates a limit of calls per second. */
export function rateLimiter(perSecond: number, nowMs: number): Limiter {
  const rate = new SmoothRate(perSecond, nowMs);
  return { waitMs: (_, now) => rate.reserve(now), tryWait: (_, now) => rate.tryReserve(now) };
}
