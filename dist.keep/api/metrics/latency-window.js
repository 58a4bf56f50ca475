/** As many values as a histogram of the reference samples. */
const VALUES_MAX = 1028;
/** The newest latencies, of which percentiles are taken. Reference: a histogram of Dropwizard Metrics, and BlockChainMetricManager. */
export class LatencyWindow {
    values = [];
    /** By full seconds: one, two, three and more. */
    late = [0, 0, 0];
    count = 0;
    /** Until the next one comes. */
    known;
    /** @param ms between a block's time and its coming */
    add(ms) {
        this.values[this.count % VALUES_MAX] = ms;
        this.count++;
        this.known = undefined;
        const seconds = Math.min(3, Math.floor(ms / 1000));
        if (seconds >= 1)
            this.late[seconds - 1]++;
    }
    statistics() {
        this.known ??= this.read();
        return this.known;
    }
    read() {
        const sorted = [...this.values].sort((a, b) => a - b);
        const at = (share) => Math.trunc(sorted[Math.floor(share * sorted.length)] ?? 0);
        const [delay1S, delay2S, delay3S] = this.late;
        const percentiles = { top75: at(0.75), top95: at(0.95), top99: at(0.99) };
        return { count: this.count, ...percentiles, delay1S, delay2S, delay3S };
    }
}
/** Of nothing. */
export const NO_LATENCY = new LatencyWindow().statistics();
//# sourceMappingURL=latency-window.js.map