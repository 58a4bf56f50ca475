import { AddressRates } from './address-rates.js';
import { Permits } from './permits.js';
import { SmoothRate } from './smooth-rate.js';
import { readNumber, readPermits } from './strategy-parameters.js';

/** Limit of one interface. */
export interface Limiter {
  /** ms that a caller has to wait first. */
  waitMs?(address: string, nowMs: number): number;
  /** The same without waiting: whether the caller may run. */
  tryWait?(address: string, nowMs: number): boolean;
  /** Where a number of calls at once is limited: whether the caller may run. */
  acquire?(): boolean | Promise<boolean>;
  /** The same without waiting. */
  tryAcquire?(): boolean;
  /** Ends a call that `acquire` let run. */
  release?(): void;
}

/** Element of `rate.limiter.http` or `rate.limiter.rpc`. */
export interface InterfaceLimit {
  readonly component: string;
  readonly strategy: string;
  readonly paramString: string;
}

interface Making {
  /** Rate of a strategy that counts calls where its parameters name none; undefined: such a limit cannot be made. */
  readonly fallbackQps: number | undefined;
  readonly nowMs: number;
  readonly warn: (text: string) => void;
}

type Make = (paramString: string, making: Making) => Limiter | undefined;

/** An address has its own rate for ten minutes. */
const ADDRESS_LIFE_MS = 600_000;
/** Strategies by the names of the configuration. */
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

/**
 * The limiter of a strategy; undefined for a strategy that does not exist, and for parameters that it cannot do with.
 */
export function createLimiter({ strategy, paramString }: InterfaceLimit, making: Making): Limiter | undefined {
  return strategies.get(strategy)?.(paramString, making);
}

/**
 * Reference: QpsStrategy, which fails in later releases without a rate: its default there is of another type than it
 * reads.
 */
function byCalls(text: string, { fallbackQps, nowMs, warn }: Making): Limiter | undefined {
  const perSecond = readNumber(text, fallbackQps, warn);
  return perSecond === undefined ? undefined : rateLimiter(perSecond, nowMs);
}

/** A limit of calls per second. */
export function rateLimiter(perSecond: number, nowMs: number): Limiter {
  const rate = new SmoothRate(perSecond, nowMs);
  return { waitMs: (_, now) => rate.reserve(now), tryWait: (_, now) => rate.tryReserve(now) };
}
