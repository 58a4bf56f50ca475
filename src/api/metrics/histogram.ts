import { itemAt } from '../../primitives/assert.js';

/** Default buckets of the reference's client, seconds (and bytes: it uses the same). */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** A metric with its values at one moment, as the library shows its own. */
export interface ShownMetric {
  readonly name: string;
  readonly help: string;
  readonly type: unknown;
  readonly values: readonly ShownValue[];
}

interface ShownValue {
  /** Parts of a histogram have names of their own. */
  readonly metricName?: string;
  readonly labels: Readonly<Partial<Record<string, string | number>>>;
  readonly value: number;
}

type Labels = Readonly<Record<string, string | number>>;

/** Values of one combination of labels. */
export class HistogramSeries {
  readonly labels: Labels;
  /** How many values fell into each bucket; the last one has no upper bound. */
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
  /** Upper bounds, rising. */
  readonly buckets?: readonly number[] | undefined;
}

/**
 * A histogram that is told of every answer, more than once. The library's finds its series by a text made of all labels
 * each time, which takes a twentieth of a short answer's time; what is shown is the same.
 */
export class Histogram {
  private readonly name: string;
  private readonly help: string;
  private readonly labelNames: readonly string[];
  private readonly buckets: readonly number[];
  private readonly series: HistogramSeries[] = [];

  constructor({ name, help, labels, buckets = BUCKETS }: HistogramOptions) {
    this.buckets = buckets;
    this.name = name;
    this.help = help;
    this.labelNames = labels;
  }

  /** A new series, for values of the labels in their order. */
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
    return { name, help, type: 'histogram', values: this.series.flatMap((one) => this.values(one)) };
  }

  private values({ labels, counts, sum }: HistogramSeries): ShownValue[] {
    let total = 0;
    const buckets = counts.map((count, at) => {
      total += count;
      return { metricName: `${this.name}_bucket`, labels: { le: this.buckets[at] ?? '+Inf', ...labels }, value: total };
    });
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: total },
    ];
  }
}
