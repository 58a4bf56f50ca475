import { Counter, Gauge, Registry } from 'prom-client';
import { Histogram } from './histogram.js';
/** Callers choose some labels (paths): each metric keeps only so many different ones. */
const SERIES_MAX = 1_000;
/** Label of what is not told apart any more. Reference: MetricLabels.UNDEFINED. */
const UNDEFINED = 'undefined';
/** Metrics of a table. Counters and histograms also show when each series began, as the reference's client does. */
export class MetricSet {
    registry = new Registry();
    kept = new Map();
    constructor(rows) {
        for (const row of rows)
            this.kept.set(row.name, this.create(row));
    }
    inc(name, labels = [], amount = 1) {
        this.series(name, labels).inc(amount);
    }
    set(name, value, labels = []) {
        this.series(name, labels).set(value);
    }
    /** Adds an observation to a histogram: seconds, or bytes. */
    observe(name, value, labels = []) {
        this.series(name, labels).observe(value);
    }
    /** Forgets all series of a gauge. */
    clear(name) {
        this.kept.get(name)?.metric.reset();
    }
    async snapshot() {
        const histograms = [...this.kept.values()].flatMap(({ metric }) => metric instanceof Histogram ? [metric.shown()] : []);
        return [...histograms, ...(await this.registry.getMetricsAsJSON())];
    }
    series(name, labels) {
        const { metric, created, seen } = this.kept.get(name);
        const key = labels.length === 1 ? labels[0] : labels.join('\n');
        const known = seen.get(key);
        if (known !== undefined)
            return known;
        const isFull = seen.size >= SERIES_MAX;
        const values = isFull ? labels.map(() => UNDEFINED) : [...labels];
        const shown = values.join('\n');
        const found = seen.get(shown);
        if (found !== undefined)
            return found;
        const made = metric.labels(...values);
        seen.set(shown, made);
        created?.labels(...values).set(Date.now() / 1000);
        return made;
    }
    create({ name, kind, labels, help }) {
        const labelNames = [...labels];
        const registers = [this.registry];
        const options = { help, labelNames, registers };
        const metric = kind === 'counter'
            ? new Counter({ ...options, name: `${name}_total` })
            : kind === 'gauge'
                ? new Gauge({ ...options, name })
                : new Histogram({ name, help, labels });
        const created = kind === 'gauge' ? undefined : new Gauge({ ...options, name: `${name}_created` });
        const seen = new Map();
        if (labels.length === 0) {
            seen.set('', metric.labels());
            created?.set(Date.now() / 1000);
        }
        // A gauge is not there before it was set once.
        if (kind === 'gauge')
            metric.reset();
        return { metric, created, seen };
    }
}
//# sourceMappingURL=metric-set.js.map