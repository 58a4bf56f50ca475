import { itemAt } from '../../primitives/assert.js';

/**
 * Default upper bounds of histogram buckets in java-tron's Prometheus client, in seconds. The client uses the same
 * numbers for bytes.
 */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** A metric with its current values, in the format of the library `prom-client`. */
export interface ShownMetric {
  readonly name: string;
  readonly help: string;
  readonly type: unknown;
  /** Function with which `prom-client` combines the values of several threads, by name, such as `sum`. */
  readonly aggregator: string;
  readonly values: readonly ShownValue[];
}

interface ShownValue {
  /** Name of the series. Set only if it is not the name of the metric, as for parts of a histogram. */
  readonly metricName?: string;
  readonly labels: Readonly<Partial<Record<string, string | number>>>;
  readonly value: number;
}

type Labels = Readonly<Record<string, string | number>>;

/** Values of a histogram for one combination of labels. */
export class HistogramSeries {
  readonly labels: Labels;
  /** Number of values in each bucket. The last bucket has no upper bound. */
  readonly counts: number[];
  sum = 0;
  private readonly buckets: readonly number[];

  constructor(labels: Labels, buckets: readonly number[]) {
    this.labels = labels;
    this.buckets = buckets;
    this.counts = Array.from({ length: buckets.length + 1 }, () => 0);
  }

  observe(value: number): void {
    const { buckets } = this;
    let bucket = 0;
    while (bucket < buckets.length && value > itemAt(buckets, bucket)) bucket++;
    this.counts[bucket] = itemAt(this.counts, bucket) + 1;
    this.sum += value;
  }
}

interface HistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of the buckets in ascending order; undefined for the default. */
  readonly buckets?: readonly number[] | undefined;
}

/**
 * Histogram for values that are recorded with every response. The histogram of the library builds a text of all labels
 * for each value. For a short response, this takes a twentieth of the total time. The exported metrics equal those of
 * the library's histogram, except the bounds of buckets.
 */
export class Histogram {
  private readonly name: string;
  private readonly help: string;
  private readonly labelNames: readonly string[];
  private readonly buckets: readonly number[];
  /** Label `le` of each bucket. */
  private readonly bounds: readonly string[];
  private readonly series: HistogramSeries[] = [];

  constructor({ name, help, labels, buckets = BUCKETS }: HistogramOptions) {
    this.buckets = buckets;
    this.bounds = [...buckets.map(boundText), '+Inf'];
    this.name = name;
    this.help = help;
    this.labelNames = labels;
  }

  /**
   * Creates the series of some label values. Must be called only once for the same values.
   * @param values label values in the order of the label names
   */
  labels(...values: readonly string[]): HistogramSeries {
    const named = Object.fromEntries(this.labelNames.map((name, at) => [name, itemAt(values, at)]));
    const made = new HistogramSeries(named, this.buckets);
    this.series.push(made);
    return made;
  }

  reset(): void {
    this.series.length = 0;
  }

  shown(): ShownMetric {
    const { name, help } = this;
    return { name, help, type: 'histogram', aggregator: 'sum', values: this.series.flatMap((one) => this.values(one)) };
  }

  private values({ labels, counts, sum }: HistogramSeries): ShownValue[] {
    let total = 0;
    const buckets = counts.map((count, at) => {
      total += count;
      return { metricName: `${this.name}_bucket`, labels: { le: itemAt(this.bounds, at), ...labels }, value: total };
    });
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: total },
    ];
  }
}

/**
 * Returns the bound of a bucket as java-tron's client writes it: `1.0`, not `1`. Prometheus 2 compares bounds as text,
 * so queries over both kinds of nodes need the same text.
 */
function boundText(bound: number): string {
  return Number.isInteger(bound) ? bound.toFixed(1) : String(bound);
}
