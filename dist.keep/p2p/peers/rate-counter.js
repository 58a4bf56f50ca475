/** Seconds that are remembered. Reference: MessageCount.SIZE. */
const SECONDS = 60;
/** Counts of the last minute, by second. Reference: MessageCount. */
export class RateCounter {
    counts = new Array(SECONDS).fill(0);
    second;
    now;
    constructor(now) {
        this.now = now;
        this.second = Math.floor(now() / 1000);
    }
    add(count) {
        this.turn();
        this.counts[this.second % SECONDS] += count;
    }
    /** Sum of the newest seconds, the running one included. */
    sum(seconds) {
        this.turn();
        let total = 0;
        for (let back = 0; back < seconds; back++)
            total += this.counts[(this.second - back) % SECONDS];
        return total;
    }
    turn() {
        const second = Math.floor(this.now() / 1000);
        const steps = Math.min(second - this.second, SECONDS);
        for (let step = 1; step <= steps; step++)
            this.counts[(this.second + step) % SECONDS] = 0;
        if (second > this.second)
            this.second = second;
    }
}
//# sourceMappingURL=rate-counter.js.map