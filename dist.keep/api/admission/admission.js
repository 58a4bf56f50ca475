import { AddressRates } from './address-rates.js';
import { createLimiter, defaultLimiter } from './limiter.js';
import { SmoothRate } from './smooth-rate.js';
/** An address gets a new limiter an hour after its first request. Reference: GlobalRateLimiter. */
const ADDRESS_LIFE_MS = 3_600_000;
/** Calls that wait at once. The reference has as many as it has threads; one more is answered as limited. */
const WAITING_MAX = 2_000;
/** Timers know whole milliseconds: what is due sooner runs now, and the rate counts it all the same. */
const SHORTEST_MS = 1;
const TIMER_MAX = 2 ** 31 - 1;
const nothing = () => { };
const OPEN = { isAdmitted: true, leave: nothing };
const CLOSED = { isAdmitted: false, leave: nothing };
/**
 * Rates of all interfaces: the limit of all calls, then that of the source address, then that of the interface. The first two
 * make callers wait; only a limit of calls at once can turn one away.
 * Reference: GlobalRateLimiter, RateLimiterServlet, RateLimiterInterceptor.
 */
export class Admission {
    all;
    addresses;
    limiters;
    nowMs;
    waiting = 0;
    constructor({ qps, addressQps, http, rpc, warn, nowMs = () => performance.now() }) {
        this.nowMs = nowMs;
        const now = nowMs();
        this.all = new SmoothRate(qps, now);
        this.addresses = new AddressRates({ perSecond: addressQps, lifeMs: ADDRESS_LIFE_MS });
        this.limiters = { http: new Map(), rpc: new Map() };
        for (const limit of http) {
            const made = createLimiter(limit, now, warn);
            if (made !== undefined)
                this.limiters.http.set(limit.component, made);
            else
                warn(httpFailure(limit));
        }
        for (const limit of rpc) {
            if (limit.strategy === '')
                continue;
            const made = createLimiter(limit, now, warn);
            if (made !== undefined)
                this.limiters.rpc.set(limit.component, made);
            else
                warn(`the rate limiter adaptor ${limit.strategy} is undefined.`);
        }
    }
    /** Calls that wait for their turn. */
    get waitingCalls() {
        return this.waiting;
    }
    /**
     * Lets a call in, at once or later.
     * @param component name of a handler that exists: each has a limiter
     * @param address where the call came from; empty when unknown, which passes the limit of addresses
     */
    enter(door, component, address) {
        if (this.waiting >= WAITING_MAX)
            return CLOSED;
        const limiter = this.limiterOf(door, component);
        const wait = this.all.reserve(this.nowMs());
        if (wait < SHORTEST_MS)
            return this.enterByAddress(limiter, address);
        return this.later(wait).then(() => this.enterByAddress(limiter, address));
    }
    enterByAddress(limiter, address) {
        const wait = address === '' ? 0 : this.addresses.reserve(address, this.nowMs());
        if (wait < SHORTEST_MS)
            return this.enterInterface(limiter, address);
        return this.later(wait).then(() => this.enterInterface(limiter, address));
    }
    enterInterface(limiter, address) {
        const wait = limiter.waitMs?.(address, this.nowMs()) ?? 0;
        if (wait >= SHORTEST_MS)
            return this.later(wait).then(() => OPEN);
        const gained = limiter.acquire?.() ?? true;
        if (typeof gained === 'boolean')
            return entryOf(limiter, gained);
        this.waiting++;
        return gained.then((isAdmitted) => {
            this.waiting--;
            return entryOf(limiter, isAdmitted);
        });
    }
    limiterOf(door, component) {
        const known = this.limiters[door].get(component);
        if (known !== undefined)
            return known;
        const made = defaultLimiter(this.nowMs());
        this.limiters[door].set(component, made);
        return made;
    }
    later(waitMs) {
        this.waiting++;
        return new Promise((resolve) => {
            const timer = setTimeout(() => {
                this.waiting--;
                resolve();
            }, Math.min(Math.round(waitMs), TIMER_MAX));
            timer.unref();
        });
    }
}
function entryOf(limiter, isAdmitted) {
    if (!isAdmitted)
        return CLOSED;
    if (limiter.release === undefined)
        return OPEN;
    let isOver = false;
    const leave = () => {
        if (!isOver)
            limiter.release?.();
        isOver = true;
    };
    return { isAdmitted, leave };
}
function httpFailure({ component, strategy, paramString }) {
    const what = `servlet = ${component}, strategy name = ${strategy}, params = "${paramString}"`;
    return `failure to add the rate limiter strategy. ${what}.`;
}
//# sourceMappingURL=admission.js.map