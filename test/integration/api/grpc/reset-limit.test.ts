import { type ClientHttp2Session, constants, type Http2Server } from 'node:http2';
import t from 'tap';
import { limitResets, ResetCounter } from '../../../../src/api/grpc/reset-limit.js';
import { openHttp2 } from '../../../support/grpc/http2-session.js';

t.test('starts a new time window at the first reset after the previous window', async (t) => {
  const counter = new ResetCounter({ max: 2, windowMs: 1000 });
  t.same(
    [0, 999, 999].map((now) => counter.isTooMany(now)),
    [false, false, true],
  );
  t.same(
    [1000, 1500, 1999].map((now) => counter.isTooMany(now)),
    [false, false, true],
  );
});

t.test('closes a connection with too many cancelled calls and keeps one that completes them', async (t) => {
  const { server, session } = await openHttp2(t, {
    limit: (session) => limitResets(session, { max: 3, windowMs: 60_000 }),
    answer: (stream, headers) => {
      stream.on('error', () => {});
      if (headers[':path'] === '/answered') stream.respond({ ':status': 200 }, { endStream: true });
    },
  });
  for (let call = 0; call < 10; call++) {
    const stream = session.request({ ':path': '/answered' });
    stream.resume();
    await new Promise((resolve) => stream.on('close', resolve));
  }
  t.equal(session.closed, false);
  t.equal(await codeAfterResets(server, session, constants.NGHTTP2_CANCEL), constants.NGHTTP2_ENHANCE_YOUR_CALM);
});

t.test('closes a connection that resets calls without an error code', async (t) => {
  const { server, session } = await openHttp2(t, {
    limit: (session) => limitResets(session, { max: 3, windowMs: 60_000 }),
    answer: (stream) => stream.on('error', () => {}),
  });
  t.equal(await codeAfterResets(server, session, constants.NGHTTP2_NO_ERROR), constants.NGHTTP2_ENHANCE_YOUR_CALM);
});

/** Opens and resets calls. Returns the code with which the server closes the connection. */
async function codeAfterResets(server: Http2Server, session: ClientHttp2Session, code: number): Promise<number> {
  const ended = new Promise<number>((resolve) => session.on('goaway', resolve));
  for (let call = 0; call < 4; call++) {
    const arrived = new Promise((resolve) => server.once('stream', resolve));
    const stream = session.request({ ':path': '/open' }, { endStream: false });
    stream.on('error', () => {});
    await arrived;
    stream.close(code);
  }
  return ended;
}
