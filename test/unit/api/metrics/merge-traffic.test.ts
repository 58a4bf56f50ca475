import t from 'tap';
import { ApiMetrics } from '../../../../src/api/metrics/api-metrics.js';
import { mergeTraffic } from '../../../../src/api/metrics/merge-traffic.js';

function counted(calls: readonly (readonly [url: string, status: number, bytes: number])[]): ApiMetrics {
  let nowMs = 0;
  const metrics = new ApiMetrics({ hasMeters: true, now: () => nowMs });
  for (const [url, status, bytes] of calls) metrics.responseSent(url, status, bytes);
  nowMs = 10_000;
  return metrics;
}

t.test('adds the traffic of several threads', (t) => {
  const parts = [
    counted([
      ['/wallet/getnowblock', 200, 100],
      ['/wallet/getaccount', 200, 10],
    ]),
    counted([
      ['/wallet/getaccount', 405, 20],
      ['/wallet/getaccount', 200, 30],
    ]),
  ].map((metrics) => metrics.traffic());
  const { qps, failQps, outTraffic, detail } = mergeTraffic(parts);
  t.equal(qps.count, 4n);
  t.equal(qps.meanRate, 0.4);
  t.equal(qps.oneMinuteRate, parts[0]!.qps.oneMinuteRate + parts[1]!.qps.oneMinuteRate);
  t.ok(qps.oneMinuteRate > 0);
  t.equal(failQps.count, 1n);
  t.equal(outTraffic.count, 160n);
  t.same(
    detail.map((own) => [own.name, own.qps.count, own.failQps?.count, own.outTraffic?.count]),
    [
      ['/wallet/getaccount', 3n, 1n, 60n],
      ['/wallet/getnowblock', 1n, undefined, 100n],
    ],
  );
  t.end();
});

t.test('returns the traffic of a single thread unchanged', (t) => {
  const traffic = counted([['/wallet/getnowblock', 200, 100]]).traffic();
  t.equal(mergeTraffic([traffic]), traffic);
  t.end();
});
