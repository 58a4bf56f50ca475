import { mergeMetrics } from '../../api/metrics/merge-metrics.js';
import type { MetricSnapshot } from '../../api/metrics/metric-set.js';

/**
 * Retains the last known counters of each thread, and uses them if the thread does not respond or has ended. Otherwise,
 * the sum over all threads would decrease, and Prometheus would add the whole sum to the rate.
 */
export class RetainedCounters {
  private readonly last = new Map<number, MetricSnapshot>();
  /** Sum of the counters of all threads that have ended. */
  private ended: Promise<MetricSnapshot> = Promise.resolve([]);

  /** Returns the metrics of a thread. @param snapshot undefined if the thread does not respond */
  of(thread: number, snapshot: MetricSnapshot | undefined): MetricSnapshot {
    if (snapshot === undefined) return this.last.get(thread) ?? [];
    // The oldest creation time of a series is the minimum over all threads.
    const isCounter = ({ type, aggregator }: MetricSnapshot[number]) => type !== 'gauge' || aggregator === 'min';
    this.last.set(thread, snapshot.filter(isCounter));
    return snapshot;
  }

  /** Must be called when a thread has ended. The next thread with this number starts at 0. */
  end(thread: number): void {
    const last = this.last.get(thread);
    this.last.delete(thread);
    if (last !== undefined) this.ended = this.ended.then((ended) => mergeMetrics([ended, last]));
  }

  /** Returns the counters of all threads that have ended. */
  ofEnded(): Promise<MetricSnapshot> {
    return this.ended;
  }
}
