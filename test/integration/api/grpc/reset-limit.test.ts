import { type ClientHttp2Session, constants, type Http2Server } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import t from 'tap';
import { limitResets, ResetCounter } from '../../../../src/api/grpc/reset-limit.js';
import { callFields, END_HEADERS, FrameType, frame, PREFACE, uint32 } from '../../../support/grpc/http2-frames.js';
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

t.test(
  'closes a connection with too many cancelled calls, and keeps a connection that completes its calls',
  async (t) => {
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
  },
);

t.test('closes a connection that resets calls without an error code', async (t) => {
  const { server, session } = await openHttp2(t, {
    limit: (session) => limitResets(session, { max: 3, windowMs: 60_000 }),
    answer: (stream) => stream.on('error', () => {}),
  });
  t.equal(await codeAfterResets(server, session, constants.NGHTTP2_NO_ERROR), constants.NGHTTP2_ENHANCE_YOUR_CALM);
});

/** Opens and resets calls. Returns the error code with which the server closes the connection. */
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

t.test('after too many resets, processes no more of the calls that have already arrived', async (t) => {
  const { server } = await openHttp2(t, {
    limit: (session) => limitResets(session, { max: 3, windowMs: 60_000 }),
    answer: (stream) => stream.on('error', () => {}),
  });
  let started = 0;
  server.on('stream', () => started++);
  const socket = connect((server.address() as AddressInfo).port);
  socket.on('error', () => {});
  socket.resume();
  const calls = Array.from({ length: CALLS }, (_, at) => {
    const stream = 2 * at + 1;
    return [
      frame(FrameType.HEADERS, END_HEADERS, stream, callFields('protocol.Wallet/GetNowBlock')),
      frame(FrameType.RST_STREAM, 0, stream, uint32(constants.NGHTTP2_CANCEL)),
    ];
  });
  socket.end(Buffer.concat([PREFACE, ...calls.flat()]));
  await new Promise((resolve) => socket.once('close', resolve));
  t.ok(started < 100, `${started} of ${CALLS} calls`);
});

/** Number of calls. Their frames are too large for one read of the socket. */
const CALLS = 8000;
