const TICK_MS = 5_000;
const MINUTES = [1, 5, 15];
/** Counts events with rates that fade by time. Reference: Meter, EWMA (Dropwizard Metrics). */
export class Meter {
    now;
    startMs;
    lastMs;
    total = 0n;
    uncounted = 0;
    isFirst = true;
    /** Events per second over one, five and fifteen minutes. */
    rates = [0, 0, 0];
    /** @param now ms */
    constructor(now) {
        this.now = now;
        this.startMs = now();
        this.lastMs = this.startMs;
    }
    get count() {
        return this.total;
    }
    mark(events = 1) {
        this.tick();
        this.total += BigInt(events);
        this.uncounted += events;
    }
    rate() {
        this.tick();
        const seconds = (this.now() - this.startMs) / 1000;
        const [oneMinuteRate, fiveMinuteRate, fifteenMinuteRate] = this.rates;
        const meanRate = this.total === 0n || seconds <= 0 ? 0 : Number(this.total) / seconds;
        return { count: this.total, meanRate, oneMinuteRate, fiveMinuteRate, fifteenMinuteRate };
    }
    tick() {
        let ticks = Math.floor((this.now() - this.lastMs) / TICK_MS);
        if (ticks <= 0)
            return;
        this.lastMs += ticks * TICK_MS;
        // After an hour without a question nothing is left of any rate.
        ticks = Math.min(ticks, 720 * 3);
        for (; ticks > 0; ticks--) {
            const instant = (this.uncounted * 1000) / TICK_MS;
            this.uncounted = 0;
            MINUTES.forEach((minutes, at) => {
                const alpha = 1 - Math.exp(-TICK_MS / 60_000 / minutes);
                const rate = this.rates[at];
                this.rates[at] = this.isFirst ? instant : rate + alpha * (instant - rate);
            });
            this.isFirst = false;
        }
    }
}
/** The rate of a meter that never counted. */
export const NO_RATE = {
    count: 0n,
    meanRate: 0,
    oneMinuteRate: 0,
    fiveMinuteRate: 0,
    fifteenMinuteRate: 0,
};
//# sourceMappingURL=meter.js.map