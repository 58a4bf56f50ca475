import { once } from 'node:events';
import pino from 'pino';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { createHttpServer } from '../../../../src/api/http/server/http-server.js';
import { LOCAL_SOURCES } from '../../../../src/api/http/server/request-sources.js';
import { type RpcMethods, rpcMethod } from '../../../../src/api/jsonrpc/envelope.js';
import { Subscriptions } from '../../../../src/api/jsonrpc/subscriptions/subscriptions.js';
import { serveWebSockets } from '../../../../src/api/jsonrpc/subscriptions/web-sockets.js';
import { createMemoryBudgets } from '../../../../src/api/middleware/memory-budgets.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import { NO_RPC_LIMITS } from '../../../../src/api/releases/rpc-limits.js';
import { ByteBudget } from '../../../../src/primitives/byte-budget.js';
import { until } from '../../../support/until.js';

const MESSAGE_BYTES = 100_000;
const REQUEST = '{"jsonrpc":"2.0","id":1,"method":"none"}';

async function listening(t: Test, requests: ByteBudget, methods: RpcMethods = new Map()): Promise<number> {
  const server = createHttpServer({
    paths: [],
    connectionsMax: 0,
    budgets: { ...createMemoryBudgets(), requests },
    log: pino({ level: 'silent' }),
  });
  const subscriptions = Object.assign(Object.create(Subscriptions.prototype), {
    methodsFor: () => new Map(),
    drop: () => undefined,
  }) as Subscriptions;
  const form = { release: apiRelease('4.8.2'), rpcLimits: NO_RPC_LIMITS };
  serveWebSockets(server, {
    methods,
    form,
    subscriptions,
    sources: LOCAL_SOURCES,
    messageBytesMax: MESSAGE_BYTES,
  });
  t.teardown(() => server.app.close());
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  return (server.app.server.address() as { port: number }).port;
}

interface Client {
  readonly socket: WebSocket;
  code: number | undefined;
  text: string;
}

/** Opens a connection and sends the first fragment of a message. The last fragment is never sent. */
async function half(t: Test, port: number, bytes: number): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/jsonrpc`, { perMessageDeflate: false });
  const made: Client = { socket, code: undefined, text: '' };
  t.teardown(() => socket.terminate());
  socket.on('error', () => undefined);
  socket.on('message', (data) => {
    made.text += data;
  });
  socket.on('close', (code) => {
    made.code = code;
  });
  await once(socket, 'open');
  socket.send(' '.repeat(bytes), { fin: false });
  return made;
}

t.test('closes connections whose unfinished messages exceed the budget', async (t) => {
  const requests = new ByteBudget({ bytesMax: 350_000 });
  const port = await listening(t, requests);
  const good = await half(t, port, 50_000);
  const clients: Client[] = [];
  for (let at = 0; at < 6; at++) clients.push(await half(t, port, 90_000));
  await until('the closed connections', () => clients.filter(({ code }) => code === 1013).length === 3);
  t.ok(requests.bytes <= 350_000, `${requests.bytes} bytes`);
  good.socket.send(REQUEST);
  await until('the answer', () => good.text.includes('"id":1'));
  for (const { socket } of clients) socket.terminate();
  await until('the end of all shares', () => requests.bytes === 0);
});

t.test('closes a connection whose message does not arrive in time, but not one that answers pings', async (t) => {
  let now = 0;
  const requests = new ByteBudget({ bytesMax: 350_000, stallMs: 10_000, now: () => now });
  const port = await listening(t, requests);
  const stalled = await half(t, port, 10);
  const idle = await half(t, port, 10);
  idle.socket.send(REQUEST);
  await until('the answer', () => idle.text.includes('"id":1'));
  idle.socket.pong();
  await until('the first half', () => requests.bytes > 0);
  now = 10_001;
  requests.dropStalled();
  await until('the closed connection', () => stalled.code === 1008);
  t.equal(idle.code, undefined);
});

t.test('does not read further messages while many are unanswered', async (t) => {
  const requests = new ByteBudget({ bytesMax: 10_000_000 });
  const waiting: (() => void)[] = [];
  const wait = rpcMethod('wait', [], () => new Promise<string>((resolve) => waiting.push(() => resolve('done'))));
  const port = await listening(t, requests, new Map([wait]));
  const socket = new WebSocket(`ws://127.0.0.1:${port}/jsonrpc`, { perMessageDeflate: false });
  t.teardown(() => socket.terminate());
  let answers = 0;
  socket.on('message', () => answers++);
  await once(socket, 'open');
  const request = `{"jsonrpc":"2.0","id":1,"method":"wait","params":[]}${' '.repeat(10_000)}`;
  for (let i = 0; i < 1_000; i++) socket.send(request);
  await until('the first calls', () => waiting.length >= 100);
  await new Promise((resolve) => setTimeout(resolve, 500));
  // One read from the socket has up to 64 KiB, which are 7 messages.
  t.ok(waiting.length < 120, `${waiting.length} calls are running`);
  t.ok(requests.bytes > 100 * request.length, `${requests.bytes} bytes count as memory of unanswered messages`);
  while (answers < 1_000) {
    for (const answer of waiting.splice(0)) answer();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await until('the end of all shares', () => requests.bytes === 0);
});
