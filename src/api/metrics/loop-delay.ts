import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/** `quantile` belongs to summaries, which have a count and a sum; this gauge begins anew with each scrape. */
const PERCENTILES = [50, 90, 99, 99.9];
const NS_PER_SECOND = 1e9;
/** Time between two samples, ms; the histogram counts it in. */
const RESOLUTION_MS = 10;

/**
 * How late timers of this thread come (`tronicle_event_loop_delay_seconds`), over the time since the last scrape.
 * @returns stops measuring
 */
export function addLoopDelay(registry: Registry, thread: string): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  new Gauge({
    name: 'tronicle_event_loop_delay_seconds',
    help: 'Delay of the event loop of a thread since the last scrape',
    labelNames: ['thread', 'percentile'],
    registers: [registry],
    collect() {
      for (const percentile of PERCENTILES) {
        this.labels(thread, String(percentile)).set(seconds(delay.percentile(percentile)));
      }
      this.labels(thread, '100').set(seconds(delay.max));
      delay.reset();
    },
  });
  return () => delay.disable();
}

function seconds(ns: number): number {
  return Math.max(0, ns / NS_PER_SECOND - RESOLUTION_MS / 1000);
}
