import { UsageError } from '../../primitives/errors.js';
import { TIMER_MS_MAX } from '../../primitives/units.js';
import type { RateLimitRules } from '../releases/api-release.js';
import { type CallRate, type CallRatesByAddress, type LimitState, ownLimits } from './limit-state.js';
import { createLimiter, type InterfaceLimit, type Limiter, rateLimiter } from './limiter.js';

export interface RateLimitOptions {
  /** Maximum number of calls per second of all interfaces together (`rate.limiter.global.qps`). */
  readonly qps: number;
  /** Maximum number of calls per second of a source address (`rate.limiter.global.ip.qps`). */
  readonly addressQps: number;
  /** Maximum number of calls per second of an interface without its own limit (`rate.limiter.global.api.qps`). */
  readonly interfaceQps: number;
  /** True to reject a call that would have to wait (`rate.limiter.apiNonBlocking`). */
  readonly refusesAtOnce: boolean;
  readonly rules: RateLimitRules;
  /** Limits by name of the handler class (`rate.limiter.http`). */
  readonly http: readonly InterfaceLimit[];
  /** Limits by name of the gRPC method, `protocol.<Service>/<Method>` (`rate.limiter.rpc`). */
  readonly rpc: readonly InterfaceLimit[];
  /** Called for each invalid limit of the configuration. */
  readonly warn: (text: string) => void;
  /** Creates the state of the limits. Default: in the memory of this thread. */
  readonly limits?: LimitState;
  /** Monotonic clock in milliseconds. Default: the clock of `limits`. */
  readonly nowMs?: () => number;
}

/** Result of the rate limits for a call. If the call is admitted, `leave` must be called at the end of the call. */
export interface AdmittedCall {
  readonly isAdmitted: boolean;
  leave(): void;
}

/** Kind of an interface. JSON-RPC is of kind `http`. */
type ApiKind = 'http' | 'rpc';

/** Time in ms after which the rate of an address is discarded. Reference: GlobalRateLimiter. */
const ADDRESS_LIFE_MS = 3_600_000;
/**
 * Maximum number of waiting calls. Further calls are rejected as rate limited. In java-tron, the number of threads
 * limits the number of waiting calls.
 */
const QUEUED_MAX = 2_000;
/**
 * Shortest wait in ms. Timers cannot wait for a shorter time, so a call with a shorter wait takes its permit and runs
 * immediately.
 */
const SHORTEST_MS = 1;

const nothing = (): void => {};
const OPEN: AdmittedCall = { isAdmitted: true, leave: nothing };
const CLOSED: AdmittedCall = { isAdmitted: false, leave: nothing };

/**
 * Applies three rate limits to each call: for all calls, for the source address, and for the interface. The release
 * defines the order of the limits. Reference: GlobalRateLimiter, RateLimiterServlet, RateLimiterInterceptor.
 *
 * The limits for all calls and for the address only delay calls. The limit of an interface rejects calls only if it
 * limits concurrency. With `refusesAtOnce`, every limit rejects calls instead of delaying them.
 */
export class RateLimit {
  private readonly all: CallRate;
  private readonly addresses: CallRatesByAddress;
  private readonly limiters: Readonly<Record<ApiKind, Map<string, Limiter>>>;
  private readonly options: RateLimitOptions;
  private readonly limits: LimitState;
  private readonly nowMs: () => number;
  private readonly sinceMs: number;
  private queued = 0;

  /**
   * Creates the limits.
   * @throws {UsageError} a limit is invalid, and the release does not start with an invalid limit
   */
  constructor(options: RateLimitOptions) {
    const { qps, addressQps, http, rpc, warn, rules, limits = ownLimits, nowMs = limits.nowMs } = options;
    this.options = options;
    this.limits = limits;
    this.nowMs = nowMs;
    const now = nowMs();
    this.sinceMs = now;
    this.all = limits.rate('all', qps, now);
    this.addresses = limits.addressRates('address', { perSecond: addressQps, lifeMs: ADDRESS_LIFE_MS });
    this.limiters = { http: new Map(), rpc: new Map() };
    const shared = { fallbackQps: rules.fallbackQps, nowMs: now, limits, warn };
    for (const limit of http) {
      const made = createLimiter(nameable(limit, rules), { ...shared, name: limitName('http', limit.component) });
      if (made !== undefined) this.limiters.http.set(limit.component, made);
      else if (rules.stopsAtBadLimits) throw new UsageError(httpFailure(limit));
      else warn(httpFailure(limit));
    }
    for (const limit of rpc) {
      if (limit.strategy === '') continue;
      const made = createLimiter(limit, { ...shared, name: limitName('rpc', limit.component) });
      if (made !== undefined) this.limiters.rpc.set(limit.component, made);
      else warn(`the rate limiter adaptor ${limit.strategy} is undefined.`);
    }
  }

  /** Number of calls that wait for a permit. */
  get queuedCalls(): number {
    return this.queued;
  }

  /**
   * Applies the limits to a call. If the call must wait, returns a promise. The promise resolves when the limits have
   * admitted or refused the call.
   * @param component name of the handler, which must exist; each handler has its own limit
   * @param address source address of the call; if empty, the limit of addresses does not apply
   */
  enter(api: ApiKind, component: string, address: string): AdmittedCall | Promise<AdmittedCall> {
    if (this.queued >= QUEUED_MAX) return CLOSED;
    const limiter = this.limiterOf(api, component);
    if (this.options.refusesAtOnce) return this.enterAtOnce(limiter, address);
    if (this.options.rules.interfaceFirst) return this.enterFromInside(limiter, address);
    const wait = this.all.reserve(this.nowMs());
    if (wait < SHORTEST_MS) return this.enterByAddress(limiter, address);
    return this.later(wait).then(() => this.enterByAddress(limiter, address));
  }

  private enterByAddress(limiter: Limiter, address: string): AdmittedCall | Promise<AdmittedCall> {
    const wait = address === '' ? 0 : this.addresses.reserve(address, this.nowMs());
    if (wait < SHORTEST_MS) return this.enterInterface(limiter, address);
    return this.later(wait).then(() => this.enterInterface(limiter, address));
  }

  private enterInterface(limiter: Limiter, address: string): AdmittedCall | Promise<AdmittedCall> {
    const wait = limiter.waitMs?.(address, this.nowMs()) ?? 0;
    if (wait >= SHORTEST_MS) return this.later(wait).then(() => OPEN);
    const gained = limiter.acquire?.() ?? true;
    if (typeof gained === 'boolean') return entryOf(limiter, gained);
    this.queued++;
    return gained.then((isAdmitted) => {
      this.queued--;
      return entryOf(limiter, isAdmitted);
    });
  }

  private enterFromInside(limiter: Limiter, address: string): AdmittedCall | Promise<AdmittedCall> {
    const entry = this.enterInterface(limiter, address);
    if (entry instanceof Promise) return entry.then((admitted) => this.passAddress(admitted, address));
    return this.passAddress(entry, address);
  }

  private passAddress(entry: AdmittedCall, address: string): AdmittedCall | Promise<AdmittedCall> {
    if (!entry.isAdmitted) return entry;
    const wait = address === '' ? 0 : this.addresses.reserve(address, this.nowMs());
    return wait < SHORTEST_MS ? this.passAll(entry) : this.later(wait).then(() => this.passAll(entry));
  }

  private passAll(entry: AdmittedCall): AdmittedCall | Promise<AdmittedCall> {
    const wait = this.all.reserve(this.nowMs());
    return wait < SHORTEST_MS ? entry : this.later(wait).then(() => entry);
  }

  /**
   * Admits or rejects a call without waiting. If a limit rejects the call after the concurrency limit has given it a
   * permit, releases that permit.
   */
  private enterAtOnce(limiter: Limiter, address: string): AdmittedCall {
    const now = this.nowMs();
    const isDue = limiter.tryWait?.(address, now) ?? limiter.tryAcquire?.() ?? true;
    if (!isDue) return CLOSED;
    const entry = entryOf(limiter, true);
    const passes = (address === '' || this.addresses.tryReserve(address, now)) && this.all.tryReserve(now);
    if (passes) return entry;
    entry.leave();
    return CLOSED;
  }

  private limiterOf(api: ApiKind, component: string): Limiter {
    const known = this.limiters[api].get(component);
    if (known !== undefined) return known;
    const { limits, sinceMs: nowMs } = this;
    const made = rateLimiter(this.options.interfaceQps, { limits, name: limitName(api, component), nowMs });
    this.limiters[api].set(component, made);
    return made;
  }

  private later(waitMs: number): Promise<void> {
    this.queued++;
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => {
          this.queued--;
          resolve();
        },
        Math.min(Math.round(waitMs), TIMER_MS_MAX),
      );
      timer.unref();
    });
  }
}

/** Returns the name under which all threads share the state of an interface's limit. */
export function limitName(api: ApiKind, component: string): string {
  return `${api} ${component}`;
}

function entryOf(limiter: Limiter, isAdmitted: boolean): AdmittedCall {
  if (!isAdmitted) return CLOSED;
  if (limiter.release === undefined) return OPEN;
  let isOver = false;
  const leave = (): void => {
    if (!isOver) limiter.release?.();
    isOver = true;
  };
  return { isAdmitted, leave };
}

/**
 * Replaces the strategy name `DefaultBaseQqsAdapter` of a limit by `QpsRateLimiterAdapter`, which has the same effect.
 * `createLimiter` knows only the second name.
 * Reference: RateLimiterServlet.ALLOWED_ADAPTERS
 */
function nameable(limit: InterfaceLimit, { stopsAtBadLimits }: RateLimitRules): InterfaceLimit {
  if (!stopsAtBadLimits || limit.strategy !== 'DefaultBaseQqsAdapter') return limit;
  return { ...limit, strategy: 'QpsRateLimiterAdapter' };
}

function httpFailure({ component, strategy, paramString }: InterfaceLimit): string {
  const what = `servlet = ${component}, strategy name = ${strategy}, params = "${paramString}"`;
  return `failure to add the rate limiter strategy. ${what}.`;
}
