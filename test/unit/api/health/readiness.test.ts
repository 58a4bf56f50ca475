import Fastify from 'fastify';
import t from 'tap';
import { serveHealth } from '../../../../src/api/health/health-page.js';
import { type ReadinessFacts, reasonsNotReady, type UnreadyReason } from '../../../../src/api/health/readiness.js';

const MIB = 2 ** 20;
const limits = { maxHeadAge: 120, minFreeDisk: 1024 };
const good: ReadinessFacts = {
  headNumber: 812,
  headTimeMs: 1_000_000,
  nowMs: 1_000_000 + 120_999,
  freeBytes: 1024 * MIB,
  sinks: [
    { name: 'a', state: 'forwarding' },
    { name: 'b', state: 'retrying', problem: 'no broker' },
  ],
};

t.test('is ready at the limits, and with a sink that retries', async (t) => {
  t.same(reasonsNotReady(good, limits), []);
  t.same(reasonsNotReady({ ...good, freeBytes: undefined }, limits), [], 'no data folder');
  t.same(reasonsNotReady({ ...good, nowMs: 0 }, limits), [], 'a head newer than the clock');
});

t.test('names every reason why the node is not ready', async (t) => {
  const bad: ReadinessFacts = {
    ...good,
    nowMs: good.headTimeMs + 121_000,
    freeBytes: 1024 * MIB - 1,
    storageProblem: 'the disk is full',
    sinks: [...good.sinks, { name: 'c', state: 'stopped', problem: 'topic deleted' }],
  };
  t.same(reasonsNotReady(bad, limits), [
    { check: 'head', message: 'head block 812 is 121 s old, limit 120 s' },
    { check: 'disk', message: '1023 MiB of disk space are free, minimum 1024 MiB' },
    { check: 'storage', message: 'blocks cannot be stored: the disk is full' },
    { check: 'sink', message: 'sink c stopped: topic deleted' },
  ]);
});

t.test('answers /healthz always, and /readyz with 503 and the reasons', async (t) => {
  let reasons: readonly UnreadyReason[] = [];
  const app = Fastify();
  t.teardown(() => app.close());
  serveHealth(app, () => reasons);
  const ready = await app.inject('/readyz');
  t.same([ready.statusCode, ready.json()], [200, { ready: true, reasons: [] }]);
  reasons = [{ check: 'head', message: 'head block 0 is 900 s old, limit 120 s' }];
  const behind = await app.inject('/readyz');
  t.same([behind.statusCode, behind.json()], [503, { ready: false, reasons }]);
  t.equal(behind.headers['cache-control'], 'no-store');
  const healthy = await app.inject('/healthz');
  t.same([healthy.statusCode, healthy.json()], [200, { healthy: true }]);
});
