import { Counter, Gauge, Registry } from 'prom-client';
import { itemAt, present } from '../../primitives/assert.js';
import { Histogram, type HistogramSeries, type ShownMetric } from './histogram.js';

/** Definition of a metric. The name of a counter has no suffix `_total`; the exporter appends it. */
export interface MetricRow {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
  /** Upper bounds of histogram buckets; undefined for the default of java-tron's client. */
  readonly buckets?: readonly number[];
}

/** Values of metrics at one time, as plain data that can be sent to another thread. */
export type MetricSnapshot = readonly ShownMetric[];

/**
 * Maximum number of series of a metric. The limit is necessary, because clients choose the values of some labels, such
 * as paths.
 */
const SERIES_MAX = 1_000;
/** Label value of all series beyond the maximum number. Reference: MetricLabels.UNDEFINED. */
export const UNDEFINED = 'undefined';

interface RegisteredMetric {
  readonly metric: Counter | Gauge | Histogram;
  readonly created: Gauge | undefined;
  readonly series: Map<string, Series>;
}

/** Series of a metric for one combination of label values. */
type Series = Counter.Internal | Gauge.Internal<string> | HistogramSeries;

/**
 * Metrics that a table defines. As in java-tron's client, counters and histograms also export the creation time of each
 * series.
 */
export class MetricSet<Name extends string = string> {
  readonly registry = new Registry();
  private readonly metrics = new Map<string, RegisteredMetric>();

  constructor(rows: readonly (MetricRow & { readonly name: Name })[]) {
    for (const row of rows) this.metrics.set(row.name, this.create(row));
  }

  inc(name: Name, labels: readonly string[] = [], amount = 1): void {
    (this.series(name, labels) as Counter.Internal | Gauge.Internal<string>).inc(amount);
  }

  set(name: Name, value: number, labels: readonly string[] = []): void {
    (this.series(name, labels) as Gauge.Internal<string>).set(value);
  }

  /** Adds a value to a histogram. The unit is seconds or bytes, depending on the metric. */
  observe(name: Name, value: number, labels: readonly string[] = []): void {
    (this.series(name, labels) as HistogramSeries).observe(value);
  }

  /** Deletes all series of a gauge. */
  clear(name: Name): void {
    this.metrics.get(name)?.metric.reset();
  }

  async snapshot(): Promise<MetricSnapshot> {
    const histograms = [...this.metrics.values()].flatMap(({ metric }) =>
      metric instanceof Histogram ? [metric.shown()] : [],
    );
    return [...histograms, ...(await this.registry.getMetricsAsJSON())];
  }

  private series(name: Name, labels: readonly string[]): Series {
    const { metric, created, series: existing } = present(this.metrics.get(name), 'every name has its metric');
    const key = labels.length === 1 ? itemAt(labels, 0) : labels.join('\n');
    const known = existing.get(key);
    if (known !== undefined) return known;
    const isFull = existing.size >= SERIES_MAX;
    const values = isFull ? labels.map(() => UNDEFINED) : [...labels];
    const shown = values.join('\n');
    const found = existing.get(shown);
    if (found !== undefined) return found;
    const made = metric.labels(...values);
    existing.set(shown, made);
    created?.labels(...values).set(Date.now() / 1000);
    return made;
  }

  private create({ name, kind, labels, help, buckets }: MetricRow): RegisteredMetric {
    const labelNames = [...labels];
    const registers = [this.registry];
    const options = { help, labelNames, registers };
    const metric =
      kind === 'counter'
        ? new Counter({ ...options, name: `${name}_total` })
        : kind === 'gauge'
          ? new Gauge({ ...options, name })
          : new Histogram({ name, help, labels, buckets });
    const created =
      kind === 'gauge' ? undefined : new Gauge({ ...options, name: `${name}_created`, aggregator: 'min' });
    const series = new Map<string, Series>();
    if (labels.length === 0) {
      series.set('', metric.labels());
      created?.set(Date.now() / 1000);
    }
    // A gauge must not be exported before it has a value, so its initial value 0 is removed.
    if (kind === 'gauge') metric.reset();
    return { metric, created, series };
  }
}
