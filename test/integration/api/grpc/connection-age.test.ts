import { type ClientHttp2Session, constants, type ServerHttp2Session } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { limitAge, limitIdleTime } from '../../../../src/api/grpc/connection-age.js';
import { openHttp2 } from '../../../support/grpc/http2-session.js';

const LIMIT_MS = 200;

async function open(t: Test, limit: (session: ServerHttp2Session) => void) {
  const { session } = await openHttp2(t, {
    limit,
    answer: (stream, headers) => {
      const answerMs = Number(headers['answer-ms']);
      setTimeout(() => stream.respond({ ':status': 200 }, { endStream: true }), answerMs);
    },
  });
  const goaway = new Promise((resolve) => {
    session.once('goaway', (code, _last, data) => resolve([code, String(data)]));
  });
  const closed = new Promise<void>((resolve) => session.once('close', resolve));
  return { session, goaway, closed };
}

/** Sends a request. @returns the HTTP status, after the end of the response */
function request(session: ClientHttp2Session, answerMs: number): Promise<number> {
  const stream = session.request({ ':path': '/', 'answer-ms': answerMs });
  let status = 0;
  stream.on('response', (headers) => {
    status = headers[':status'] ?? 0;
  });
  stream.resume();
  return new Promise((resolve) => stream.on('close', () => resolve(status)));
}

t.test('closes an idle connection, but not one with calls', async (t) => {
  const { session, goaway, closed } = await open(t, (session) => limitIdleTime(session, LIMIT_MS));
  const started = performance.now();
  t.equal(await request(session, 2 * LIMIT_MS), 200, 'an open call');
  await sleep(LIMIT_MS / 2);
  t.equal(await request(session, 0), 200, 'the idle time starts after a call');
  t.same(await goaway, [constants.NGHTTP2_NO_ERROR, 'max_idle']);
  await closed;
  t.ok(performance.now() - started >= 3.4 * LIMIT_MS);
});

t.test('closes a connection at its maximum age, after its calls', async (t) => {
  const { session, goaway, closed } = await open(t, (session) => limitAge(session, LIMIT_MS));
  const answer = request(session, 3 * LIMIT_MS);
  t.same(await goaway, [constants.NGHTTP2_NO_ERROR, 'max_age']);
  t.equal(await answer, 200);
  await closed;
});

t.test('applies no limit if the configured time exceeds the longest possible timer', async (t) => {
  const { session } = await open(t, (session) => {
    limitIdleTime(session, Number.MAX_SAFE_INTEGER);
    limitAge(session, Number.MAX_SAFE_INTEGER);
  });
  await sleep(50);
  t.equal(await request(session, 0), 200);
});
