import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/**
 * Exported percentiles. Prometheus reserves the label `quantile` for summaries, so the label of these percentiles is
 * `percentile`.
 */
const PERCENTILES = [50, 90, 99, 99.9];
const NS_PER_SECOND = 1e9;
/**
 * Interval between two measurements, in ms. Each value of the histogram includes this interval, so `seconds` subtracts
 * the interval.
 */
const RESOLUTION_MS = 10;

/**
 * Measures the delay of this thread's event loop since the previous read of the metrics
 * (`tronicle_event_loop_delay_seconds`).
 * @returns a function that stops the measurement
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
