import t from 'tap';
import { PeerCpuQuota } from '../../../../src/p2p/transport/peer-cpu-quota.js';
import { side } from '../../../support/p2p/side.js';

t.test('delays a peer above its CPU share until it is below', async (t) => {
  let nowMs = 1000;
  const share = new PeerCpuQuota(() => nowMs);
  const work = (ms: number): number => {
    nowMs += ms;
    share.worked(ms);
    return share.restMs;
  };
  const works = (times: number, ms: number): number[] => Array.from({ length: times }, () => work(ms));
  share.begin();
  // During each 20 ms of work, 5 ms are credited to the quota.
  t.same(works(6, 20), [0, 0, 0, 0, 0, 0], 'a burst');
  t.equal(work(20), (20 + 6 * 15 - 100) * 4);
  nowMs += share.restMs - 1;
  t.equal(share.restMs, 1);
  nowMs += 1;
  t.equal(share.restMs, 0, 'the pause is over');
  nowMs += 1_000_000;
  t.same(works(6, 20), [0, 0, 0, 0, 0, 0], 'no more than one burst is saved');
  t.ok(work(20) > 0);
  nowMs += 1_000_000;
  t.equal(work(5_000), 0, 'a pause of the machine is not charged to the peer');
  nowMs += 1_000_000;
  share.begin(0);
  t.ok(
    works(50, 20).every((restMs) => restMs === 0),
    'requested work is not charged',
  );
  share.begin(1 / 2);
  t.ok(
    works(18, 20).every((restMs) => restMs === 0),
    'served work is charged half',
  );
  t.ok(works(20, 20).some((restMs) => restMs > 0));
});

t.test('delays reading only from a connection above its share', async (t) => {
  const WORK_MS = 5;
  const FLOOD = 80;
  const handled: string[] = [];
  const server = await side(t, {
    handler: {
      connected: () => undefined,
      disconnected: () => undefined,
      message: (_, bytes) => {
        const what = bytes[1] === 1 ? 'flood' : 'honest';
        handled.push(what);
        if (what === 'honest') return;
        for (const end = performance.now() + WORK_MS; performance.now() < end; );
      },
    },
  });
  const [flooder, honest] = [await side(t), await side(t)];
  for (const { transport } of [flooder, honest]) transport.connect({ host: '127.0.0.1', port: server.port }, '');
  await Promise.all([flooder, honest].map(({ connected, wait }) => wait(() => connected.length === 1)));
  const started = performance.now();
  for (let i = 0; i < FLOOD; i++) flooder.connected[0]?.send(Uint8Array.of(1, 1));
  honest.connected[0]?.send(Uint8Array.of(1, 2));
  while (handled.filter((what) => what === 'flood').length < FLOOD)
    await new Promise((resolve) => setTimeout(resolve, 5));
  const tookMs = performance.now() - started;
  const leastMs = (FLOOD - 1) * WORK_MS * 4 - 4 * 100;
  t.ok(tookMs > leastMs, `${Math.round(tookMs)} ms for ${FLOOD * WORK_MS} ms of work, ${leastMs} at least`);
  t.ok(handled.indexOf('honest') < FLOOD / 2, `after ${handled.indexOf('honest')} messages of the other`);
});
