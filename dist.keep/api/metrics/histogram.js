/** Default buckets of the reference's client, seconds (and bytes: it uses the same). */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** Values of one combination of labels. */
export class HistogramSeries {
    labels;
    /** How many values fell into each bucket; the last one has no upper bound. */
    counts = Array.from({ length: BUCKETS.length + 1 }, () => 0);
    sum = 0;
    constructor(labels) {
        this.labels = labels;
    }
    observe(value) {
        let bucket = 0;
        while (bucket < BUCKETS.length && value > BUCKETS[bucket])
            bucket++;
        this.counts[bucket]++;
        this.sum += value;
    }
}
/**
 * A histogram that is told of every answer, more than once. The library's finds its series by a text made of all labels each
 * time, which takes a twentieth of a short answer's time; what is shown is the same.
 */
export class Histogram {
    name;
    help;
    labelNames;
    series = [];
    constructor({ name, help, labels, }) {
        this.name = name;
        this.help = help;
        this.labelNames = labels;
    }
    /** A new series, for values of the labels in their order. */
    labels(...values) {
        const made = new HistogramSeries(Object.fromEntries(this.labelNames.map((name, at) => [name, values[at]])));
        this.series.push(made);
        return made;
    }
    reset() {
        this.series.length = 0;
    }
    shown() {
        const { name, help } = this;
        return { name, help, type: 'histogram', values: this.series.flatMap((one) => this.values(one)) };
    }
    values({ labels, counts, sum }) {
        let total = 0;
        const buckets = counts.map((count, at) => {
            total += count;
            return { metricName: `${this.name}_bucket`, labels: { le: BUCKETS[at] ?? '+Inf', ...labels }, value: total };
        });
        return [
            ...buckets,
            { metricName: `${this.name}_sum`, labels, value: sum },
            { metricName: `${this.name}_count`, labels, value: total },
        ];
    }
}
//# sourceMappingURL=histogram.js.map