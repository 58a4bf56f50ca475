import t from 'tap';
import { exposition } from '../../../../src/api/metrics/exposition.js';
import { mergeMetrics } from '../../../../src/api/metrics/merge-metrics.js';
import { MetricSet } from '../../../../src/api/metrics/metric-set.js';

t.test('adds counters and histograms of several threads', async (t) => {
  const rows = [
    { name: 'calls', kind: 'counter', labels: ['path'], help: 'calls' },
    { name: 'seconds', kind: 'histogram', labels: ['path'], help: 'seconds', buckets: [1, 2] },
  ] as const;
  const threads = [new MetricSet(rows), new MetricSet(rows)];
  threads[0]!.inc('calls', ['/a']);
  threads[1]!.inc('calls', ['/a'], 2);
  threads[1]!.inc('calls', ['/b']);
  threads[0]!.observe('seconds', 0.5, ['/a']);
  threads[1]!.observe('seconds', 1.5, ['/a']);
  const text = exposition([await mergeMetrics(await Promise.all(threads.map((thread) => thread.snapshot())))]);
  for (const line of [
    'calls_total{path="/a"} 3',
    'calls_total{path="/b"} 1',
    'seconds_bucket{le="1.0",path="/a"} 1',
    'seconds_bucket{le="2.0",path="/a"} 2',
    'seconds_bucket{le="+Inf",path="/a"} 2',
    'seconds_sum{path="/a"} 2',
    'seconds_count{path="/a"} 2',
  ])
    t.ok(text.split('\n').includes(line), line);
  t.equal(text.split('\n').filter((line) => line.startsWith('calls_created{path="/a"}')).length, 1);
  t.ok(Number(/^calls_created\{path="\/a"\} (.*)$/m.exec(text)?.[1]) <= Date.now() / 1000, 'the earliest creation');
});
