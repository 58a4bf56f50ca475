import { constants } from 'node:http2';
import t, { type Test } from 'tap';
import { limitPings, PingCounter } from '../../../../src/api/grpc/ping-limit.js';
import { openHttp2 } from '../../../support/grpc/http2-session.js';

const HOUR_MS = 3_600_000;

// Observed on 2026-11-26 with java-tron of each release. Its library grpc-java 1.14 (KeepAliveEnforcer) closes a
// connection with pings 300 ms apart at the fourth ping.
t.test('tolerates two early pings and resets the count on a response', async (t) => {
  const counter = new PingCounter();
  const idle = (now: number): boolean => counter.isTooMany(now, false);
  t.same([0, 1, 2, 3].map(idle), [false, false, false, true]);
  counter.answered();
  t.same([4, 5, 6, 7].map(idle), [false, false, false, true]);
  const rare = new PingCounter();
  t.same(
    [0, 2, 4, 6, 8].map((hours) => rare.isTooMany(hours * HOUR_MS, false)),
    Array(5).fill(false),
  );
  const busy = new PingCounter();
  t.same(
    [0, 5, 10, 15].map((minutes) => busy.isTooMany(minutes * 60_000, true)),
    Array(4).fill(false),
  );
});

async function session(t: Test) {
  const { session } = await openHttp2(t, {
    limit: limitPings,
    answer: (stream) => stream.respond({ ':status': 200 }, { endStream: true }),
  });
  await new Promise((resolve) => session.once('connect', resolve));
  const ping = (): Promise<void> => new Promise((resolve) => session.ping(() => resolve()));
  return { session, ping };
}

t.test('closes a connection that only pings', async (t) => {
  const { session: client, ping } = await session(t);
  const ended = new Promise((resolve) => client.once('goaway', (code, _last, data) => resolve([code, String(data)])));
  for (let count = 0; count < 4; count++) await ping();
  t.same(await ended, [constants.NGHTTP2_ENHANCE_YOUR_CALM, 'too_many_pings']);
});

t.test('keeps a connection with requests between its pings', async (t) => {
  const { session: client, ping } = await session(t);
  for (let count = 0; count < 9; count++) {
    await ping();
    const stream = client.request({ ':path': '/' });
    stream.resume();
    await new Promise((resolve) => stream.on('close', resolve));
  }
  t.equal(client.closed, false);
});
