import { type ClientHttp2Session, connect } from 'node:http2';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import t, { type Test } from 'tap';
import type { ApiContext, ChainView } from '../../../../src/api/api-context.js';
import { GrpcServer } from '../../../../src/api/grpc/grpc-server.js';
import { RememberedIds } from '../../../../src/api/operations/broadcast.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import { NumberMessage } from '../../../../src/codec/generated/messages.js';
import { limits } from '../../../support/grpc/limits.js';

const api = { settings: { release: apiRelease('4.7.2') }, waiting: { count: 7 } } as unknown as ApiContext;
const PATH = '/protocol.Wallet/GetPendingSize';
const EMPTY = frame(Buffer.alloc(0));

interface Reply {
  readonly status: string;
  readonly text: string;
  readonly message: Buffer;
}

async function serve(t: Test): Promise<ClientHttp2Session> {
  const call = () => ({ api, view: {} as ChainView, remembered: new RememberedIds() });
  const log = pino({ level: 'silent' });
  const server = new GrpcServer({ release: apiRelease('4.7.2'), server: 'fullnode', call, disabled: [], limits, log });
  const session = connect(`http://127.0.0.1:${await server.listen(0)}`);
  t.teardown(async () => {
    session.close();
    await server.close();
  });
  return session;
}

function frame(message: Uint8Array, flag = 0): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** Sends pieces of a request, each in a turn of its own. */
async function ask(session: ClientHttp2Session, pieces: readonly Buffer[], more: object = {}): Promise<Reply> {
  const head = { ':method': 'POST', ':path': PATH, 'content-type': 'application/grpc', te: 'trailers', ...more };
  const stream = session.request(head);
  let all: Record<string, unknown> = {};
  const chunks: Buffer[] = [];
  stream.on('response', (headers) => {
    all = { ...all, ...headers };
  });
  stream.on('trailers', (headers) => {
    all = { ...all, ...headers };
  });
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise((resolve) => stream.on('close', resolve));
  for (const piece of pieces) {
    stream.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  stream.end();
  await closed;
  const message = Buffer.concat(chunks).subarray(5);
  return { status: String(all['grpc-status']), text: String(all['grpc-message'] ?? ''), message };
}

t.test('a message may come in any pieces', async (t) => {
  const session = await serve(t);
  for (const pieces of [
    [EMPTY],
    [EMPTY.subarray(0, 2), EMPTY.subarray(2)],
    [...EMPTY].map((byte) => Buffer.of(byte)),
  ]) {
    const { status, text, message } = await ask(session, pieces);
    t.same([status, text], ['0', '']);
    t.equal(NumberMessage.decode(message).num, 7n);
  }
});

t.test('exactly one message is taken', async (t) => {
  const session = await serve(t);
  t.match(await ask(session, []), { status: '13', text: 'Half-closed without a request' });
  t.match(await ask(session, [frame(Buffer.alloc(9)).subarray(0, 9)]), { status: 'undefined' }, 'dropped');
  t.match(await ask(session, [EMPTY, EMPTY]), { status: '13', text: 'Too many requests' });
  const long = { status: '8', text: 'Received message larger than max (1001 vs 1000)' };
  t.match(await ask(session, [frame(Buffer.alloc(1001)).subarray(0, 5)]), long, 'refused before it is there');
});

t.test('texts of headers', async (t) => {
  const session = await serve(t);
  const { status, text } = await ask(session, [EMPTY], { ':path': '/a%b.c/d' });
  t.same([status, text], ['12', 'Method not found: a%25b.c/d']);
  t.match(await ask(session, [frame(Uint8Array.of(0xff))]), { status: '2', text: '' }, 'none');
});

t.test('what is unusual is left to the library', async (t) => {
  const session = await serve(t);
  const packed = await ask(session, [frame(gzipSync(Buffer.alloc(0)), 1)], { 'grpc-encoding': 'gzip' });
  t.equal(NumberMessage.decode(packed.message).num, 7n);
  t.match(await ask(session, [EMPTY], { 'grpc-timeout': 'soon' }), { status: '13' });
  t.match(await ask(session, [EMPTY], { 'grpc-timeout': '10S' }), { status: '0' });
});
