import { AggregatorRegistry } from 'prom-client';
import type { MetricSnapshot } from './metric-set.js';

/**
 * Merges the metrics of several threads into one snapshot. The values of a series are added, unless the metric has an
 * `aggregator` other than `sum`.
 */
export async function mergeMetrics(snapshots: readonly MetricSnapshot[]): Promise<MetricSnapshot> {
  return AggregatorRegistry.aggregate([...snapshots]).getMetricsAsJSON();
}
