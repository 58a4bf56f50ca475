import { type ClientHttp2Session, connect, constants, type OutgoingHttpHeaders } from 'node:http2';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import t, { type Test } from 'tap';
import type { ApiContext, ChainView } from '../../../../src/api/context/api-context.js';
import { GrpcServer } from '../../../../src/api/grpc/grpc-server.js';
import { RememberedIds } from '../../../../src/api/operations/broadcast.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import { NumberMessage } from '../../../../src/codec/generated/messages.js';
import { limits } from '../../../support/grpc/limits.js';

const PATH = '/protocol.Wallet/GetPendingSize';
const EMPTY = frame(Buffer.alloc(0));

interface Reply {
  readonly headers: Readonly<Record<string, unknown>>;
  /** HTTP status code. */
  readonly code: number | undefined;
  /** Error code of the RST_STREAM that ends the call; 0 without a reset. */
  readonly reset: number;
  readonly status: string;
  readonly text: string;
  readonly message: Buffer;
}

async function serve(t: Test, name = '4.7.2'): Promise<ClientHttp2Session> {
  const release = apiRelease(name);
  const api = { settings: { release }, pending: { count: 7 } } as unknown as ApiContext;
  const call = () => ({ api, view: {} as ChainView, remembered: new RememberedIds() });
  const log = pino({ level: 'silent' });
  const server = new GrpcServer({ release, server: 'fullnode', call, disabled: ['getnowblock'], limits, log });
  const session = connect(`http://127.0.0.1:${await server.listen({ port: 0, host: '127.0.0.1' })}`);
  t.teardown(async () => {
    session.close();
    await server.close();
  });
  return session;
}

t.test('closes a connection that resets many calls', async (t) => {
  const session = await serve(t, '4.8.2');
  session.on('error', () => undefined);
  const closed = new Promise((resolve) => session.on('goaway', resolve));
  for (let call = 0; call < 250 && !session.closed && !session.destroyed; call++) {
    const stream = session.request({ ':method': 'POST', ':path': PATH, 'content-type': 'application/grpc' });
    stream.on('error', () => undefined);
    stream.close(constants.NGHTTP2_CANCEL);
    if (call % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  t.equal(await closed, constants.NGHTTP2_ENHANCE_YOUR_CALM);
});

function frame(message: Uint8Array, flag = 0): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** Sends a request in several parts. Each part is sent in another turn of the event loop. */
async function query(session: ClientHttp2Session, pieces: readonly Buffer[], more: object = {}): Promise<Reply> {
  const head: Record<string, unknown> = {
    ':method': 'POST',
    ':path': PATH,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...more,
  };
  const stream = session.request(head as OutgoingHttpHeaders);
  stream.on('error', () => undefined);
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
    if (stream.destroyed) break;
    stream.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  stream.end();
  await closed;
  const message = Buffer.concat(chunks).subarray(5);
  const code = all[':status'] as number | undefined;
  const [status, text] = [String(all['grpc-status']), String(all['grpc-message'] ?? '')];
  return { headers: all, code, reset: stream.rstCode ?? 0, status, text, message };
}

t.test('accepts a message that arrives in fragments of any size', async (t) => {
  const session = await serve(t);
  for (const pieces of [
    [EMPTY],
    [EMPTY.subarray(0, 2), EMPTY.subarray(2)],
    [...EMPTY].map((byte) => Buffer.of(byte)),
  ]) {
    const { status, text, message } = await query(session, pieces);
    t.same([status, text], ['0', '']);
    t.equal(NumberMessage.decode(message).num, 7n);
  }
});

t.test('rejects a call without a request message, and one with two', async (t) => {
  const session = await serve(t);
  t.match(await query(session, []), { status: '13', text: 'Half-closed without a request' });
  t.match(await query(session, [EMPTY, EMPTY]), { status: '13', text: 'Too many requests' });
});

const PACKED = frame(gzipSync(Buffer.alloc(0)), 1);
const LONG_UNPACKED = frame(gzipSync(Buffer.alloc(1001)), 1);
const GZIP = { 'grpc-encoding': 'gzip' };
type Answer = readonly [status: string, text: string] | number;
const APPLICATION: Answer = ['2', 'Application error processing RPC'];

/** Invalid calls with the results of java-tron 4.7.2 and 4.8.2. A result is a status, or the error code of a reset. */
const FAULTS: readonly (readonly [what: string, bytes: Buffer, head: object, earlier: Answer, later: Answer])[] = [
  ['truncated message', frame(Buffer.alloc(9)).subarray(0, 9), {}, 8, ['13', 'Encountered end-of-stream mid-frame']],
  [
    'byte after the message',
    Buffer.concat([EMPTY, Buffer.alloc(1)]),
    {},
    8,
    ['13', 'Encountered end-of-stream mid-frame'],
  ],
  ['message above the limit', frame(Buffer.alloc(1001)), {}, 8, ['8', 'gRPC message exceeds maximum size 1000: 1001']],
  ['negative length', Buffer.from('00ffffffff', 'hex'), {}, 8, ['8', 'gRPC message exceeds maximum size 1000: -1']],
  [
    'reserved bit in the prefix',
    frame(Buffer.alloc(0), 2),
    {},
    8,
    ['13', 'gRPC frame header malformed: reserved bits not zero'],
  ],
  [
    'compressed without an encoding',
    PACKED,
    {},
    8,
    ['13', "Can't decode compressed gRPC message as compression not configured"],
  ],
  ['truncated gzip', frame(gzipSync(Buffer.alloc(9)).subarray(0, -4), 1), GZIP, ['2', ''], APPLICATION],
  ['above the limit after decompression', LONG_UNPACKED, GZIP, ['2', ''], APPLICATION],
  ['snappy', EMPTY, { 'grpc-encoding': 'snappy' }, 2, ['12', "Can't find decompressor for snappy"]],
  ['GZIP', EMPTY, { 'grpc-encoding': 'GZIP' }, 2, ['12', "Can't find decompressor for GZIP"]],
  ['timeout that is not a number', EMPTY, { 'grpc-timeout': 'soon' }, 2, 2],
  ['timeout of nine digits', EMPTY, { 'grpc-timeout': '123456789S' }, 2, 2],
  ['timeout of 0', EMPTY, { 'grpc-timeout': '0S' }, 8, 8],
  [
    'malformed timeout and unknown encoding',
    EMPTY,
    { 'grpc-encoding': 'snappy', 'grpc-timeout': 'x' },
    2,
    ['12', "Can't find decompressor for snappy"],
  ],
];

/** Invalid calls that no client library sends. java-tron ends them with other codes than this node. */
const OTHER_FAULTS: typeof FAULTS = [
  ['malformed gzip', frame(Buffer.from('00112233', 'hex'), 1), GZIP, ['2', ''], APPLICATION],
  [
    'prefix without a message',
    frame(Buffer.alloc(9)).subarray(0, 5),
    {},
    8,
    ['13', 'Encountered end-of-stream mid-frame'],
  ],
  ['negative timeout', EMPTY, { 'grpc-timeout': '-1S' }, 2, 2],
  [
    'timeout of 0 and unknown method',
    EMPTY,
    { 'grpc-timeout': '0S', ':path': '/a/b' },
    ['12', 'Method not found: a/b'],
    ['12', 'Method not found: a/b'],
  ],
];

t.test('ends each kind of invalid call with the status or reset of java-tron', async (t) => {
  for (const [at, release] of ['4.7.2', '4.8.2'].entries()) {
    const session = await serve(t, release);
    for (const [what, bytes, head, ...ends] of [...FAULTS, ...OTHER_FAULTS]) {
      const { status, text, reset } = await query(session, [bytes], head);
      t.same(reset === 0 ? [status, text] : reset, ends[at], `${release} ${what}`);
    }
    t.match(await query(session, [PACKED], GZIP), { status: '0' });
    t.match(await query(session, [EMPTY], { ...GZIP, 'grpc-timeout': '10S' }), { status: '0' });
    t.match(
      await query(session, [], { ':path': '/protocol.Wallet/GetNowBlock' }),
      { status: '14' },
      'a call without a message is answered by the path alone',
    );
    t.match(
      await query(session, [EMPTY, EMPTY], { ':path': '/a/b' }),
      { status: '12' },
      'an unknown method is rejected by the path alone',
    );
  }
});

t.test('echoes call metadata for a disabled method', async (t) => {
  const session = await serve(t);
  const requestHeaders = { 'x-a': 'b', 'grpc-timeout': '10S', 'user-agent': 'c' };
  const { headers } = await query(session, [EMPTY], { ':path': '/protocol.Wallet/GetNowBlock', ...requestHeaders });
  const { 'x-a': own, 'grpc-timeout': timeout, 'user-agent': agent, 'content-type': type, te } = headers;
  t.same([own, timeout, agent, type, te], ['b', '10S', undefined, 'application/grpc', undefined]);
});

t.test('answers a wrong content type or HTTP method with an HTTP status', async (t) => {
  const session = await serve(t, '4.8.2');
  const headersFor = async (head: object): Promise<unknown> => {
    const { code, status, text } = await query(session, [], head);
    return [code, status, text];
  };
  const unnamed = 'Content-Type is missing from the request';
  t.same(await headersFor({ 'content-type': undefined }), [415, '13', unnamed]);
  for (const type of ['application/json', 'application/grpc-web'])
    t.same(await headersFor({ 'content-type': type }), [415, '13', `Content-Type '${type}' is not supported`]);
  t.same(await headersFor({ ':method': 'PUT' }), [405, '13', "Method 'PUT' is not supported"]);
  for (const type of ['Application/GRPC', 'application/grpc+proto', 'application/grpc;charset=utf-8'])
    t.match(await query(session, [EMPTY], { 'content-type': type }), { code: 200, status: '0' }, type);
});

t.test('rejects headers above the limit', async (t) => {
  const session = await serve(t);
  const head = 'x'.repeat(limits.maxHeaderListSize);
  t.match(await query(session, [EMPTY], { 'x-long': head }), { code: 431, status: 'undefined' });
});

t.test('escapes the path in the error text, and sends no text for a malformed message', async (t) => {
  const session = await serve(t);
  const { status, text } = await query(session, [EMPTY], { ':path': '/a%b.c/d' });
  t.same([status, text], ['12', 'Method not found: a%25b.c/d']);
  t.match(
    await query(session, [frame(Uint8Array.of(0xff))]),
    { status: '2', text: '' },
    'a malformed message has an empty error text',
  );
});
