import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import t, { type Test } from 'tap';
import { createHttpServer } from '../../../../../src/api/http/server/http-server.js';
import { until } from '../../../../support/until.js';

const CONNECTIONS_MAX = 3;
const REQUEST = 'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';

async function listening(t: Test): Promise<number> {
  const { app } = createHttpServer({
    paths: [
      {
        path: '/a',
        methods: ['GET', 'POST'],
        answer: ({ body }) => ({ status: 200, body: Buffer.from(body).toString() }),
      },
    ],
    connectionsMax: CONNECTIONS_MAX,
    log: pino({ level: 'silent' }),
  });
  t.teardown(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as { port: number }).port;
}

async function client(t: Test, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function clients(t: Test, port: number, count: number): Promise<Socket[]> {
  const opened: Socket[] = [];
  while (opened.length < count) opened.push(await client(t, port));
  return opened;
}

/** Opens the maximum number of connections. Each sends a part of a request. */
async function busyClients(t: Test, port: number): Promise<Socket[]> {
  const busy = await clients(t, port, CONNECTIONS_MAX);
  for (const socket of busy) socket.write('GET');
  return busy;
}

/** Collects the text that a socket receives. */
function received(socket: Socket): { text: string } {
  const all = { text: '' };
  socket.on('data', (chunk) => {
    all.text += chunk;
  });
  return all;
}

t.test('removes queued connections that were closed without a request', async (t) => {
  const port = await listening(t);
  const busy = await busyClients(t, port);
  for (const silent of await clients(t, port, 20)) silent.end();
  await sleep(300);
  for (const socket of busy) socket.destroy();
  const [last] = await clients(t, port, 1);
  const answer = received(last as Socket);
  const started = performance.now();
  last?.write(REQUEST);
  await until('the answer', () => answer.text.endsWith('{}'));
  const ms = performance.now() - started;
  t.ok(ms < 10_000, `${ms} ms`);
});

t.test('closes silent connections to serve queued clients that have sent a request', async (t) => {
  const port = await listening(t);
  const silent = await clients(t, port, 20);
  const last = await client(t, port);
  const answer = received(last);
  const started = performance.now();
  last.write(REQUEST.slice(0, 30));
  await sleep(100);
  last.write(REQUEST.slice(30));
  await until('the answer', () => answer.text.endsWith('{}'));
  const ms = performance.now() - started;
  t.ok(ms < 10_000, `${ms} ms`);
  t.notOk(silent.at(-1)?.closed, 'a queued connection without a request stays open');
});

t.test('serves queued connections that have sent a request first', async (t) => {
  const port = await listening(t);
  const busy = await busyClients(t, port);
  await clients(t, port, 20);
  const last = await client(t, port);
  const answer = received(last);
  last.write(REQUEST.slice(0, 30));
  await sleep(100);
  last.write(REQUEST.slice(30));
  busy[0]?.destroy();
  const started = performance.now();
  await until('the answer', () => answer.text.endsWith('{}'));
  const ms = performance.now() - started;
  t.ok(ms < 10_000, `${ms} ms`);
});

t.test('closes connections without a complete request to serve queued clients with one', async (t) => {
  const port = await listening(t);
  // No connection has a complete request: each has sent only a part of its headers. One of them has already received a
  // response to an earlier request.
  const busy = await busyClients(t, port);
  const kept = received(busy[0] as Socket);
  busy[0]?.write(REQUEST.replace('POST', ' /a HTTP/1.1\r\nHost: x\r\n\r\nPOST'));
  await until('the answers', () => kept.text.endsWith('{}'));
  const last = await client(t, port);
  const answer = received(last);
  const started = performance.now();
  last.write(REQUEST);
  await until('the answer', () => answer.text.endsWith('{}'));
  const ms = performance.now() - started;
  t.ok(ms < 10_000, `${ms} ms`);
});
