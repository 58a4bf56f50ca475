import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import pino from 'pino';
import t, { type Test } from 'tap';
import { createServer } from '../../../../../src/api/http/server/create-server.js';
import { createHttpServer } from '../../../../../src/api/http/server/http-server.js';
import { limitUnfinishedBodies } from '../../../../../src/api/http/server/unfinished-bodies.js';
import { createMemoryBudgets } from '../../../../../src/api/middleware/memory-budgets.js';
import { ByteBudget } from '../../../../../src/primitives/byte-budget.js';
import { until } from '../../../../support/until.js';

const BODY_BYTES = 1_000_000;
const HEAD = `POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`;

async function listening(t: Test, requests: ByteBudget): Promise<number> {
  const { app } = createHttpServer({
    paths: [{ path: '/a', methods: ['POST'], answer: ({ body }) => ({ status: 200, body: `${body.length} bytes` }) }],
    connectionsMax: 0,
    budgets: { ...createMemoryBudgets(), requests },
    log: pino({ level: 'silent' }),
  });
  t.teardown(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as { port: number }).port;
}

interface Client {
  readonly socket: Socket;
  text: string;
}

async function client(t: Test, port: number, first: string | Buffer): Promise<Client> {
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.on('error', () => undefined);
  const made: Client = { socket, text: '' };
  socket.on('data', (chunk) => {
    made.text += chunk;
  });
  await once(socket, 'connect');
  socket.write(first);
  return made;
}

t.test('refuses the unfinished bodies that exceed the budget', async (t) => {
  const requests = new ByteBudget({ bytesMax: 3.5 * BODY_BYTES });
  const port = await listening(t, requests);
  const clients: Client[] = [];
  for (let at = 0; at < 6; at++) clients.push(await client(t, port, HEAD + 'x'.repeat(BODY_BYTES - 1)));
  await until('the refusals', () => clients.filter(({ text }) => text.startsWith('HTTP/1.1 413 ')).length === 3);
  t.ok(requests.bytes <= 3 * BODY_BYTES, `${requests.bytes} bytes`);
  const kept = clients.filter(({ text }) => text === '');
  for (const { socket } of kept) socket.write('x');
  await until('the answers', () => kept.every(({ text }) => text.endsWith(`${BODY_BYTES} bytes`)));
  t.equal(requests.bytes, 0);
});

t.test('refuses bodies that do not arrive with status 408', async (t) => {
  let now = 0;
  const requests = new ByteBudget({ bytesMax: 10 * BODY_BYTES, stallMs: 10_000, now: () => now });
  const port = await listening(t, requests);
  const small = await client(t, port, `${HEAD}x`);
  await until('the small body', () => requests.bytes > 0);
  const large = await client(t, port, HEAD + 'x'.repeat(100_000));
  await until('the large body', () => requests.bytes > 100_000);
  now = 10_001;
  requests.dropStalled();
  for (const { socket, text } of [small, large]) if (text === '') await once(socket, 'close');
  for (const { text } of [small, large]) t.match(text, /^HTTP\/1\.1 408 /);
});

t.test('counts a chunked body of many small chunks with the memory that it uses', async (t) => {
  const requests = new ByteBudget({ bytesMax: BODY_BYTES });
  const port = await listening(t, requests);
  const chunked = await client(t, port, 'POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  for (let at = 0; at < 10; at++) chunked.socket.write('1\r\nx\r\n'.repeat(1000));
  await until('the body', () => requests.bytes >= 10_000);
  t.ok(requests.bytes <= 20_000);
  chunked.socket.write('0\r\n\r\n');
  await until('the answer', () => chunked.text.endsWith('10000 bytes'));
  t.equal(requests.bytes, 0);
});

/** Listens with a server whose routes read JSON bodies of Fastify, like the GraphQL server. */
async function listeningForJson(t: Test, requests: ByteBudget): Promise<number> {
  const { app } = createServer({ bodyBytesMax: 2 * BODY_BYTES });
  limitUnfinishedBodies(app, requests);
  app.post<{ Body: { readonly text: string } }>('/a', async ({ body }) => `${body.text.length} letters`);
  t.teardown(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as { port: number }).port;
}

t.test('applies the budget to JSON bodies that Fastify parses', async (t) => {
  const requests = new ByteBudget({ bytesMax: 3.5 * BODY_BYTES });
  const port = await listeningForJson(t, requests);
  const json = JSON.stringify({ text: 'x'.repeat(BODY_BYTES - 11) });
  const head = HEAD.replace('Host: x', 'Host: x\r\nContent-Type: application/json');
  const clients: Client[] = [];
  for (let at = 0; at < 6; at++) clients.push(await client(t, port, head + json.slice(0, -1)));
  await until('the refusals', () => clients.filter(({ text }) => text.startsWith('HTTP/1.1 413 ')).length === 3);
  t.ok(requests.bytes <= 3 * BODY_BYTES, `${requests.bytes} bytes`);
  const kept = clients.filter(({ text }) => text === '');
  for (const { socket } of kept) socket.write('}');
  await until('the answers', () => kept.every(({ text }) => text.endsWith(`${BODY_BYTES - 11} letters`)));
  t.equal(requests.bytes, 0);
});

t.test('frees the budget of a JSON body whose connection ends or whose time is over', async (t) => {
  let now = 0;
  const requests = new ByteBudget({ bytesMax: 10 * BODY_BYTES, stallMs: 10_000, now: () => now });
  const port = await listeningForJson(t, requests);
  const head = HEAD.replace('Host: x', 'Host: x\r\nContent-Type: application/json');
  const [ended, late] = [await client(t, port, `${head}"xxx`), await client(t, port, `${head}"xxxx`)];
  await until('the bodies', () => requests.bytes === 9);
  ended.socket.destroy();
  await until('the end', () => requests.bytes === 5);
  now = 10_001;
  requests.dropStalled();
  await until('the refusal', () => late.text.startsWith('HTTP/1.1 408 '));
  t.equal(requests.bytes, 0);
});
