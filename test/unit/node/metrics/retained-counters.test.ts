import t from 'tap';
import { mergeMetrics } from '../../../../src/api/metrics/merge-metrics.js';
import { MetricSet, type MetricSnapshot } from '../../../../src/api/metrics/metric-set.js';
import { RetainedCounters } from '../../../../src/node/metrics/retained-counters.js';

const ROWS = [
  { name: 'calls', kind: 'counter', labels: ['path'], help: 'calls' },
  { name: 'seconds', kind: 'histogram', labels: [], help: 'seconds' },
  { name: 'open', kind: 'gauge', labels: [], help: 'open' },
] as const;

/** Returns the metrics of a thread that has received a number of calls. */
async function thread(calls: number): Promise<MetricSnapshot> {
  const set = new MetricSet<(typeof ROWS)[number]['name']>(ROWS);
  set.inc('calls', ['/'], calls);
  for (let at = 0; at < calls; at++) set.observe('seconds', 0.02);
  set.set('open', 1);
  return set.snapshot();
}

/** Returns the sums of some series over snapshots. */
async function sums(snapshots: readonly MetricSnapshot[]): Promise<object> {
  const values = (await mergeMetrics(snapshots)).flatMap(({ name, values }) =>
    values.map(({ metricName = name, labels, value }) => [
      labels['le'] === '0.025' ? 'at most 25 ms' : metricName,
      value,
    ]),
  );
  const { calls_total, seconds_count, open, 'at most 25 ms': bucket } = Object.fromEntries(values);
  return { calls_total, seconds_count, open, bucket };
}

// Prometheus takes a decreasing counter for a restarted process. See github.com/prometheus/client_js/issues/385.
t.test('keeps the counters of a thread that does not respond, without its gauges', async (t) => {
  const counters = new RetainedCounters();
  t.same(counters.of(1, undefined), []);
  const first = [counters.of(0, await thread(3)), counters.of(1, await thread(4))];
  t.same(await sums(first), { calls_total: 7, seconds_count: 7, open: 2, bucket: 7 });
  const second = [counters.of(0, await thread(5)), counters.of(1, undefined)];
  t.same(await sums(second), { calls_total: 9, seconds_count: 9, open: 1, bucket: 9 });
});

t.test('adds the counters of ended threads to those of their successors', async (t) => {
  const counters = new RetainedCounters();
  t.same(await counters.ofEnded(), []);
  for (const calls of [3, 4]) {
    counters.of(1, await thread(calls));
    counters.end(1);
    t.same(counters.of(1, undefined), []);
  }
  counters.end(1);
  const all = [await counters.ofEnded(), counters.of(0, await thread(1)), counters.of(1, await thread(2))];
  t.same(await sums(all), { calls_total: 10, seconds_count: 10, open: 2, bucket: 10 });
});
