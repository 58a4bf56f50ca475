import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { ApiMetrics } from '../../../../src/api/metrics/api-metrics.js';
import { ChainMetrics } from '../../../../src/api/metrics/chain-metrics.js';
import { InfluxReporter, influxLines } from '../../../../src/api/metrics/influx-reporter.js';
import { NO_PEER_STATISTICS, type PeerStatistics } from '../../../../src/api/metrics/peer-statistics.js';
import { EVENT_TIMEOUT_MS } from '../../../support/event-timeout.js';

/**
 * Matches a line of the line protocol of InfluxDB 1.x: measurement, fields, and time in ms. It is independent of the
 * node's code.
 */
const LINE = /^((?:[^ ,\\]|\\.)+) ((?:[\w-]+=[-\d.e+]+i?,?)+) (\d+)$/;

function countedUp() {
  let nowMs = 0;
  const now = (): number => nowMs;
  const chain = new ChainMetrics({ hasMeters: true, now });
  const api = new ApiMetrics({ hasMeters: true, now });
  chain.blockApplied({ number: 1, timeMs: 3000, transactions: 7, miner: 'T' }, new Map());
  chain.forked(false);
  api.responseSent('/wallet/getnowblock', 200, 500);
  api.responseSent('/a path, of=its own', 400, 20);
  nowMs = 10_000;
  const ofPeers: PeerStatistics = {
    ...NO_PEER_STATISTICS,
    disconnections: [{ reason: 'TIME_OUT', count: 2 }],
    latency: { ...NO_PEER_STATISTICS.latency, count: 3, delay2S: 1 },
  };
  return { read: () => ({ chain: { ...chain.statistics(), ofPeers, isMaster: true }, api: api.traffic() }) };
}

t.test('reports used meters with the names and fields of java-tron', async (t) => {
  const lines = influxLines(countedUp().read(), 123).split('\n');
  for (const line of lines) t.match(line, LINE);
  const parsed = new Map(
    lines.map((line) => {
      const [, name = '', fields = '', time] = LINE.exec(line) ?? [];
      t.equal(time, '123');
      return [name, Object.fromEntries(fields.split(',').map((field) => field.split('=')))];
    }),
  );
  t.same([...parsed.keys()].sort(), [
    'blockchain.forkCount',
    'blockchain.tps',
    'net.api.detail.failQps./a\\ path\\,\\ of=its\\ own',
    'net.api.detail.outTraffic./a\\ path\\,\\ of=its\\ own',
    'net.api.detail.outTraffic./wallet/getnowblock',
    'net.api.detail.qps./a\\ path\\,\\ of=its\\ own',
    'net.api.detail.qps./wallet/getnowblock',
    'net.api.failQps',
    'net.api.outTraffic',
    'net.api.qps',
    'net.disconnectionCount',
    'net.disconnectionDetail.TIME_OUT',
    'net.latency.2S',
  ]);
  const tps = parsed.get('blockchain.tps') as Record<string, string>;
  t.same(Object.keys(tps).sort(), ['count', 'fifteen-minute', 'five-minute', 'mean-minute', 'one-minute']);
  t.same([tps['count'], tps['mean-minute']], ['7i', '0.7']);
  t.equal(parsed.get('net.api.outTraffic')?.['count'], '520i');
});

t.test('resumes reports when InfluxDB is available again, and logs an outage once', async (t) => {
  const received: { readonly url: string | undefined; readonly body: string }[] = [];
  let status = 404;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ url: request.url, body });
      response.writeHead(status).end(status === 204 ? undefined : '{"error":"database not found"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const reports: (string | undefined)[] = [];
  const reporter = new InfluxReporter({
    ...{ host: '127.0.0.1', port: (server.address() as AddressInfo).port, database: 'my metrics', intervalMs: 10 },
    ...{ read: countedUp().read, now: () => 5 },
    onChange: (problem) => reports.push(problem),
  });
  const until = async (isTrue: () => boolean): Promise<void> => {
    for (const end = Date.now() + EVENT_TIMEOUT_MS; Date.now() < end && !isTrue(); ) await sleep(5);
  };
  await until(() => received.length >= 3);
  status = 204;
  await until(() => reports.length >= 2);
  t.same(reports, ['status 404: {"error":"database not found"}', undefined]);
  t.match(received[0], { url: '/write?precision=ms&db=my%20metrics', body: /^blockchain\.tps count=7i,.* 5$/m });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await until(() => reports.length >= 3);
  t.match(reports[2], 'fetch failed');
  await reporter.close();
  const before = received.length;
  await sleep(50);
  t.equal(received.length, before);
});
