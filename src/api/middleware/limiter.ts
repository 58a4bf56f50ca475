import type { LimitState } from './limit-state.js';
import { Permits } from './permits.js';
import { readNumber, readPermits } from './strategy-parameters.js';

/** Rate limit of an interface. */
export interface Limiter {
  /** Takes a permit of a rate limit. Returns the time in ms for which the call must wait. */
  waitMs?(address: string, nowMs: number): number;
  /** Takes a permit of a rate limit if one is available now. Returns true if the call may run. Never waits. */
  tryWait?(address: string, nowMs: number): boolean;
  /** Takes a permit of a concurrency limit, and waits for it if necessary. Returns true if the call may run. */
  acquire?(): boolean | Promise<boolean>;
  /** Takes a permit of a concurrency limit if one is available now. Returns true if the call may run. Never waits. */
  tryAcquire?(): boolean;
  /** Releases the permit of the concurrency limit. Must be called at the end of the call. */
  release?(): void;
}

/** Configured limit: an element of `rate.limiter.http` or `rate.limiter.rpc`. */
export interface InterfaceLimit {
  readonly component: string;
  readonly strategy: string;
  readonly paramString: string;
}

interface LimiterOptions {
  /** Default rate of a strategy whose parameters contain no rate. If undefined, a limit without a rate is invalid. */
  readonly fallbackQps: number | undefined;
  readonly nowMs: number;
  /** Creates the state of the limit, either in this thread or shared by several threads. */
  readonly limits: LimitState;
  /** Name of the limit. In shared memory, limits with the same name share one state in all threads. */
  readonly name: string;
  readonly warn: (text: string) => void;
}

type Make = (paramString: string, making: LimiterOptions) => Limiter | undefined;

/** Time in ms after which the rate of an address is discarded. */
const ADDRESS_LIFE_MS = 600_000;
/** Strategies, by their names in the configuration. */
const strategies: ReadonlyMap<string, Make> = new Map<string, Make>([
  [
    'GlobalPreemptibleAdapter',
    (text, { warn, limits, name }) => {
      const permits = new Permits(limits.count(name, readPermits(text, warn)));
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
    (text, { warn, limits, name }) => {
      const rates = limits.addressRates(name, { perSecond: readNumber(text, 2, warn), lifeMs: ADDRESS_LIFE_MS });
      return {
        waitMs: (address, now) => rates.reserve(address, now),
        tryWait: (address, now) => rates.tryReserve(address, now),
      };
    },
  ],
]);

/** Creates the limiter of a strategy. Returns undefined if the strategy is unknown or its parameters are invalid. */
export function createLimiter({ strategy, paramString }: InterfaceLimit, making: LimiterOptions): Limiter | undefined {
  return strategies.get(strategy)?.(paramString, making);
}

/**
 * Creates a limit of calls per second. In release 4.8.2 and later, a missing rate is an error, because java-tron's
 * parser rejects the type of the default value that java-tron defines. Reference: QpsStrategy.
 */
function byCalls(text: string, options: LimiterOptions): Limiter | undefined {
  const { fallbackQps, warn } = options;
  const perSecond = readNumber(text, fallbackQps, warn);
  return perSecond === undefined ? undefined : rateLimiter(perSecond, options);
}

/** Creates a limit of calls per second. */
export function rateLimiter(
  perSecond: number,
  { limits, name, nowMs }: Pick<LimiterOptions, 'limits' | 'name' | 'nowMs'>,
): Limiter {
  const rate = limits.rate(name, perSecond, nowMs);
  return { waitMs: (_, now) => rate.reserve(now), tryWait: (_, now) => rate.tryReserve(now) };
}
