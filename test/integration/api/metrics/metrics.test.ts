import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { ApiMetrics } from '../../../../src/api/metrics/api-metrics.js';
import { ChainMetrics } from '../../../../src/api/metrics/chain-metrics.js';
import { exposition } from '../../../../src/api/metrics/exposition.js';
import { addMachineMetrics } from '../../../../src/api/metrics/machine-metrics.js';
import { Meter } from '../../../../src/api/metrics/meter.js';
import { MetricSet } from '../../../../src/api/metrics/metric-set.js';
import { createExporter } from '../../../../src/api/metrics/metrics-page.js';
import { apiMetrics, nodeMetrics, peerMetrics } from '../../../../src/api/metrics/reference-metrics.js';
import { PeerMetrics } from '../../../../src/node/peers/peer-metrics.js';

interface Recorded {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
  readonly buckets?: readonly number[];
}

const { metrics } = JSON.parse(readFileSync(new URL('metrics.json', import.meta.url), 'utf8')) as {
  metrics: readonly Recorded[];
};
const now = (): number => 0;

/** Returns the samples of a metrics page by name. */
function samples(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const name = /^([a-zA-Z_:][\w:]*)/.exec(line)?.[1];
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), line]);
  }
  return found;
}

async function scrape(set: { snapshot(): ReturnType<ApiMetrics['set']['snapshot']> }[]): Promise<string> {
  return exposition(await Promise.all(set.map((each) => each.snapshot())));
}

/** Returns a bound of a bucket as java-tron's client writes it. Source: the metrics in java-tron's issue 6196. */
const javaText = (bound: number): string => (Number.isInteger(bound) ? `${bound}.0` : `${bound}`);

t.test('exports every metric of java-tron with its type, help, labels and buckets', async (t) => {
  const chain = new ChainMetrics({ hasMeters: false, now });
  const peers = new PeerMetrics({ hasMeters: false, now });
  const api = new ApiMetrics({ hasMeters: false, now });
  addMachineMetrics(chain.set.registry);
  for (const { set, rows } of [
    { set: chain.set as MetricSet, rows: nodeMetrics },
    { set: peers.set as MetricSet, rows: peerMetrics },
    { set: api.set as MetricSet, rows: apiMetrics },
  ]) {
    for (const { name, kind, labels } of rows) {
      const values = labels.map((label) => `a ${label}`);
      if (kind === 'counter') set.inc(name, values);
      else if (kind === 'gauge') set.set(name, 1.5, values);
      else set.observe(name, 0.3, values);
    }
  }
  const text = await scrape([chain.set, peers.set, api.set]);
  const found = samples(text);
  for (const { name, type, labels, help, buckets = [] } of metrics) {
    const shown = type === 'counter' ? `${name}_total` : name;
    t.ok(text.includes(`# HELP ${shown} ${help}\n# TYPE ${shown} ${type}\n`), `${name} has its help and type`);
    const first = found.get(type === 'histogram' ? `${name}_count` : shown)?.[0] ?? '';
    const given = [...first.matchAll(/(\w+)="/g)].map(([, label]) => label);
    t.same(given, labels, `labels of ${name}`);
    if (type === 'gauge') continue;
    t.equal(found.get(`${name}_created`)?.length, 1, `${name} has its creation time`);
    if (type !== 'histogram') continue;
    const bounds = (found.get(`${name}_bucket`) ?? []).map((line) => /le="([^"]+)"/.exec(line)?.[1]);
    t.same(bounds, [...buckets.map(javaText), '+Inf'], `buckets of ${name}`);
    t.equal(found.get(`${name}_sum`)?.length, 1, `sum of ${name}`);
  }
});

t.test('limits the number of label values that callers choose', async (t) => {
  const set = new MetricSet([{ name: 'x', kind: 'counter', labels: ['url'], help: 'h' }]);
  for (let at = 0; at < 1500; at++) set.inc('x', [`/${at}`]);
  set.inc('x', ['/0']);
  const lines = samples(await scrape([set])).get('x_total') ?? [];
  t.equal(lines.length, 1001);
  t.ok(lines.includes('x_total{url="/0"} 2'));
  t.ok(lines.includes('x_total{url="undefined"} 500'));
});

t.test('escapes label values and help texts', async (t) => {
  const set = new MetricSet([{ name: 'x', kind: 'gauge', labels: ['url'], help: 'a\nb' }]);
  set.set('x', 1, ['a"b\\c\nd']);
  t.equal(await scrape([set]), '# HELP x a\\nb\n# TYPE x gauge\nx{url="a\\"b\\\\c\\nd"} 1\n');
});

t.test('counts chain events with the names of java-tron', async (t) => {
  const chain = new ChainMetrics({ hasMeters: true, now });
  const block = { number: 7, timeMs: 3000, transactions: 2, miner: 'T1' };
  chain.blockApplied(block, new Map([['T2', 3]]));
  chain.blockPushed(0.02);
  chain.transactionRefused('TaposException');
  chain.transactionRefused('ContractValidateException');
  chain.transactionsTimedOut(4);
  chain.forked(false);
  const found = samples(await scrape([chain.set]));
  t.same(found.get('tron:header_height'), ['tron:header_height 7']);
  t.same(found.get('tron:miner_total'), [
    'tron:miner_total{miner="T1",type="success"} 1',
    'tron:miner_total{miner="T2",type="miss"} 3',
  ]);
  t.same(found.get('tron:txs_total'), [
    'tron:txs_total{type="success",detail="success"} 2',
    'tron:txs_total{type="fail",detail="tapos"} 1',
    'tron:txs_total{type="fail",detail="timeout"} 4',
  ]);
  t.same(found.get('tron:block_push_latency_seconds_count'), ['tron:block_push_latency_seconds_count 1']);
  const { tps, blockProcessTime, forkCount } = chain.statistics();
  t.same([tps.count, blockProcessTime.count, forkCount], [2n, 20n, 1]);
});

t.test('decays rates like java-tron', async (t) => {
  let ms = 0;
  const meter = new Meter(() => ms);
  meter.mark(300);
  ms = 5_000;
  t.same(meter.rate(), { count: 300n, meanRate: 60, oneMinuteRate: 60, fiveMinuteRate: 60, fifteenMinuteRate: 60 });
  ms = 65_000;
  const { oneMinuteRate, fifteenMinuteRate } = meter.rate();
  t.ok(Math.abs(oneMinuteRate - 60 / Math.E) < 1e-9, 'the rate decays to 1/e in one minute');
  t.ok(Math.abs(fifteenMinuteRate - 60 / Math.E ** (1 / 15)) < 1e-9);
});

// Observed on java-tron 4.7.2: failures at 1.4 per second gave a rate of only 0.008 over 15 minutes. The meter was much
// older than the failures.
t.test('starts a meter at its first event or at its first read', async (t) => {
  let ms = 0;
  const [marked, polled] = [new Meter(() => ms), new Meter(() => ms)];
  ms = 60_000;
  marked.mark(300);
  t.same(polled.rate().count, 0n);
  ms = 65_000;
  t.match(marked.rate(), { meanRate: 60, oneMinuteRate: 60, fifteenMinuteRate: 60 });
  polled.mark(300);
  ms = 70_000;
  t.match(polled.rate(), { meanRate: 30 });
  t.ok(polled.rate().fifteenMinuteRate < 1, 'the first five seconds had no event');
});

t.test('serves the exporter on any path', async (t) => {
  const set = new MetricSet([{ name: 'x', kind: 'gauge', labels: [], help: 'h' }]);
  set.set('x', 1);
  const server = createExporter([() => set.snapshot()]);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  for (const path of ['/metrics', '/', '/anything']) {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`);
    t.equal(reply.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8', path);
    t.equal(await reply.text(), '# HELP x h\n# TYPE x gauge\nx 1\n', path);
  }
});

t.test('counts transactions of blocks and witness changes only since 4.8.2', async (t) => {
  const offer = async (hasLater: boolean) => {
    const chain = new ChainMetrics({ hasMeters: false, hasLater, now });
    for (const count of [0, 20, 21, 10_001]) chain.blockOffered(count, 'T1');
    chain.witnessesChanged(new Set(['T1', 'T2']), new Set(['T2', 'T3']));
    return samples(await scrape([chain.set]));
  };
  const found = await offer(true);
  t.same(found.get('tron:sr_set_change_total'), [
    'tron:sr_set_change_total{action="add",witness="T3"} 1',
    'tron:sr_set_change_total{action="remove",witness="T1"} 1',
  ]);
  const buckets = found.get('tron:block_transaction_count_bucket') ?? [];
  const bounds = [0, 20, 50, 80, 100, 120, 140, 160, 180, 200, 230, 260, 300, 500, 2000, 5000, 10000].map(javaText);
  t.same(
    buckets.map((line) => /le="([^"]+)"/.exec(line)?.[1]),
    [...bounds, '+Inf'],
  );
  t.match(buckets[0], /miner="T1".* 1$/);
  t.same(
    buckets.map((line) => line.split(' ').at(-1)),
    ['1', '2', ...Array.from({ length: 15 }, () => '3'), '4'],
  );
  t.equal((await offer(false)).get('tron:block_transaction_count_count'), undefined);
});

t.test('since 4.8.2, counts requests by handler, and unmatched ones under one name', async (t) => {
  const older = new ApiMetrics({ hasMeters: true, now });
  const later = new ApiMetrics({ hasMeters: true, byHandler: true, now });
  const target = '/wallet/./getnowbloc%6b;a?visible=true';
  t.equal(older.urlOf(target), '/wallet/./getnowbloc%6b;a');
  t.equal(later.urlOf(target), '/wallet/getnowblock');
  t.equal(later.urlOf('/wallet/x%'), 'undefined');
  for (const metrics of [older, later]) {
    metrics.responseSent('/wallet/a', 200, 10);
    metrics.responseSent('/wallet/b', 404, 20);
    metrics.responseSent('/wallet/c', 413, 40);
  }
  const labels = async (metrics: ApiMetrics) =>
    (samples(await scrape([metrics.set])).get('tron:http_bytes_sum') ?? []).map((line) => /{.*}/.exec(line)?.[0]);
  t.same(await labels(later), [
    '{url="/wallet/a",status="200"}',
    '{url="undefined",status="404"}',
    '{url="/wallet/c",status="413"}',
  ]);
  t.same((await labels(older))[1], '{url="/wallet/b",status="404"}');
  const { outTraffic, failQps, detail } = later.traffic();
  t.same([outTraffic.count, failQps.count], [70n, 2n]);
  t.same(
    detail.map(({ name, qps, failQps: failed }) => [name, qps.count, failed?.count]),
    [
      ['/wallet/a', 1n, undefined],
      ['/wallet/c', 0n, 1n],
    ],
  );
});
