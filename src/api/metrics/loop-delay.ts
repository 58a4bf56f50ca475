import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

const QUANTILES = [0.5, 0.9, 0.99, 0.999];
const NS_PER_SECOND = 1e9;

/**
 * How late timers of this thread come (`tronicle_event_loop_delay_seconds`), over the time since the last scrape.
 * @returns stops measuring
 */
export function addLoopDelay(registry: Registry, thread: string): () => void {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  new Gauge({
    name: 'tronicle_event_loop_delay_seconds',
    help: 'Delay of the event loop of a thread since the last scrape',
    labelNames: ['thread', 'quantile'],
    registers: [registry],
    collect() {
      for (const quantile of QUANTILES) {
        this.labels(thread, String(quantile)).set(delay.percentile(quantile * 100) / NS_PER_SECOND);
      }
      this.labels(thread, '1').set(delay.max / NS_PER_SECOND);
      delay.reset();
    },
  });
  return () => delay.disable();
}
