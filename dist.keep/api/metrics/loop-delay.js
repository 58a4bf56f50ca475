import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge } from 'prom-client';
const QUANTILES = [0.5, 0.9, 0.99, 0.999];
const NS_PER_SECOND = 1e9;
/** Time between two samples, ms; the histogram counts it in. */
const RESOLUTION_MS = 10;
/**
 * How late timers of this thread come (`tronicle_event_loop_delay_seconds`), over the time since the last scrape.
 * @returns stops measuring
 */
export function addLoopDelay(registry, thread) {
    const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    delay.enable();
    new Gauge({
        name: 'tronicle_event_loop_delay_seconds',
        help: 'Delay of the event loop of a thread since the last scrape',
        labelNames: ['thread', 'quantile'],
        registers: [registry],
        collect() {
            for (const quantile of QUANTILES) {
                this.labels(thread, String(quantile)).set(seconds(delay.percentile(quantile * 100)));
            }
            this.labels(thread, '1').set(seconds(delay.max));
            delay.reset();
        },
    });
    return () => delay.disable();
}
function seconds(ns) {
    return Math.max(0, ns / NS_PER_SECOND - RESOLUTION_MS / 1000);
}
//# sourceMappingURL=loop-delay.js.map