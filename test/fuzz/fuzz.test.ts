import { once } from 'node:events';
import { connect } from 'node:net';
import { Client, credentials } from '@grpc/grpc-js';
import pino from 'pino';
import t, { type Test } from 'tap';
import type { ApiContext, ChainView } from '../../src/api/context/api-context.js';
import { GrpcServer } from '../../src/api/grpc/grpc-server.js';
import { Dispatcher } from '../../src/api/http/dispatch.js';
import { createHttpServer } from '../../src/api/http/server/http-server.js';
import { RememberedIds } from '../../src/api/operations/broadcast.js';
import { apiRelease } from '../../src/api/releases/releases.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { fuzz } from './fuzz-node.js';
import { grpcMethods } from './grpc-fuzz.js';
import { Random } from './random.js';

const silent = pino({ level: 'silent' });

t.test('answers 10,000 malformed requests over HTTP, JSON-RPC and gRPC', async (t) => {
  const { failures, requests } = await fuzz({ dataDir: temporaryFolder(t), seed: 1, count: 10_000 });
  t.same(failures, [], 'run test/fuzz/run.ts with the seed to repeat a failure');
  t.equal(requests, 10_000);
});

const PIECES = [
  ...[
    'GET ',
    'POST ',
    'get ',
    'FOO ',
    '/wallet/getpendingsize',
    '/%00',
    '/../x',
    '*',
    ' HTTP/1.1',
    ' HTTP/1.0',
    ' HTTP/9.9',
  ],
  ...['\r\n', '\r\n', '\n', 'Host: x\r\n', 'Content-Length: 5\r\n', 'Content-Length: -1\r\n', 'Content-Length: x\r\n'],
  ...[
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding: x\r\n',
    '5\r\nhello\r\n',
    'zz\r\n',
    '0\r\n\r\n',
    '\r\n\r\n',
  ],
  ...[
    'Connection: close\r\n',
    'Expect: 100-continue\r\n',
    'Upgrade: h2c\r\n',
    `X: ${'y'.repeat(9000)}\r\n`,
    '\u0000',
    ' : \r\n',
  ],
];

t.test('answers or closes a connection with malformed HTTP and keeps serving', async (t) => {
  const port = await listening(t);
  const random = new Random(7, []);
  for (let at = 0; at < 300; at++) {
    const bytes = Buffer.concat(
      Array.from({ length: 1 + random.below(12) }, () =>
        random.chance(0.9) ? Buffer.from(random.pick(PIECES)) : random.bytes(random.below(40)),
      ),
    );
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.end(bytes);
    socket.resume();
    await once(socket, 'close');
  }
  const reply = await fetch(`http://127.0.0.1:${port}/wallet/getpendingsize`);
  t.equal(await reply.text(), '{"pendingSize": 3}\n');
});

t.test('answers an incomplete request after its time limit', async (t) => {
  const port = await listening(t, 300);
  const socket = connect(port, '127.0.0.1');
  socket.write('POST /wallet/getaccount HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  t.match(answer.toString(), /^HTTP\/1\.1 408 .*connection: close.*request timeout/is);
  await once(socket, 'close');
});

t.test('answers malformed gRPC messages on every port', async (t) => {
  const api = {
    settings: { release: apiRelease('4.7.2') },
    pending: { count: 3, all: () => [] },
    view: () => ({}),
  } as unknown as ApiContext;
  const server = new GrpcServer({
    release: apiRelease('4.7.2'),
    server: 'fullnode',
    call: () => ({ api, view: {} as ChainView, remembered: new RememberedIds() }),
    disabled: [],
    limits: {
      maxMessageSize: 10_000,
      maxConcurrentCallsPerConnection: 2 ** 31 - 1,
      maxConnectionIdleInMillis: Number.MAX_SAFE_INTEGER,
      maxConnectionAgeInMillis: Number.MAX_SAFE_INTEGER,
      maxHeaderListSize: 8192,
      flowControlWindow: 1_048_576,
    },
    log: silent,
  });
  const port = await server.listen({ port: 0, host: '127.0.0.1' });
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  t.teardown(() => client.close());
  t.teardown(() => server.close());
  const random = new Random(9, []);
  const codes = await Promise.all(
    Array.from({ length: 500 }, () => {
      const { name } = random.pick(grpcMethods);
      const bytes = random.bytes(random.below(300));
      return new Promise<number>((resolve) => {
        client.makeUnaryRequest(`/${name}`, Buffer.from, Buffer.from, bytes, (error) => resolve(error?.code ?? 0));
      });
    }),
  );
  t.ok(
    codes.every((code) => [0, 2, 3, 8, 12, 13].includes(code)),
    `codes ${[...new Set(codes)]}`,
  );
});

async function listening(t: Test, requestTimeoutMs?: number): Promise<number> {
  const api = {
    settings: { release: apiRelease('4.7.2'), addressPrefix: 0x41, bodyBytesMax: 1e6 },
    pending: { count: 3 },
    view: () => ({}),
  };
  const services = { api: api as unknown as ApiContext, remembered: new RememberedIds(), startedMs: 0 };
  const { app } = createHttpServer({
    paths: new Dispatcher('fullnode', services, []).paths,
    connectionsMax: 50,
    ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
    log: silent,
  });
  t.teardown(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as { port: number }).port;
}
