import { AggregatorRegistry } from 'prom-client';
import type { MetricSnapshot } from './metric-set.js';

/**
 * Merges the metrics of several threads into one snapshot. Adds the values of a series, unless the metric has another
 * `aggregator`.
 */
export async function mergeMetrics(snapshots: readonly MetricSnapshot[]): Promise<MetricSnapshot> {
  return AggregatorRegistry.aggregate([...snapshots]).getMetricsAsJSON();
}
