import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import t, { type Test } from 'tap';
import { createHttpServer } from '../../../../../src/api/http/server/http-server.js';
import { createMemoryBudgets } from '../../../../../src/api/middleware/memory-budgets.js';
import { ByteBudget } from '../../../../../src/primitives/byte-budget.js';
import { until } from '../../../../support/until.js';

/** Size of a response in bytes. It exceeds the socket buffers of the operating system. */
const ANSWER_BYTES = 8 * 1024 * 1024;
const REQUEST = 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n';

/** Starts a server with long responses. Returns its port, and the numbers of started requests and open connections. */
async function counting(t: Test, idleTimeoutMs = 30_000, answerBytes = ANSWER_BYTES, budgets = createMemoryBudgets()) {
  const counts = { started: 0, open: 0, bytesRead: () => 0 };
  const body = 'x'.repeat(answerBytes);
  const answer = () => {
    counts.started += 1;
    return { status: 200, body };
  };
  const { app } = createHttpServer({
    paths: [{ path: '/a', methods: ['GET', 'POST'], answer }],
    connectionsMax: 0,
    idleTimeoutMs,
    budgets,
    log: pino({ level: 'silent' }),
  });
  app.server.on('connection', (socket: Socket) => {
    counts.open += 1;
    counts.bytesRead = () => socket.bytesRead;
    socket.on('close', () => {
      counts.open -= 1;
    });
  });
  t.teardown(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { counts, port: (app.server.address() as { port: number }).port };
}

/** Opens a connection and never reads from it. */
async function silentReader(t: Test, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket.pause();
}

t.test('computes only one answer for a client that sends many requests and reads nothing', async (t) => {
  const { counts, port } = await counting(t);
  const socket = await silentReader(t, port);
  socket.write(REQUEST.repeat(200));
  await until('the first request', () => counts.started > 0);
  for (let round = 0; round < 100; round += 1) {
    socket.write(REQUEST.repeat(200));
    await sleep(5);
  }
  t.equal(counts.started, 1);
  t.ok(counts.bytesRead() < 300_000, `${counts.bytesRead()} bytes read from the socket`);
});

t.test('answers all pipelined requests of a client that reads', async (t) => {
  const { counts, port } = await counting(t, 30_000, 100_000);
  const socket = await silentReader(t, port);
  let bytes = 0;
  socket.on('data', (chunk) => {
    bytes += chunk.length;
  });
  // The requests are too large for one read of the socket.
  for (let round = 0; round < 5; round += 1) socket.write(REQUEST.repeat(200));
  socket.end('POST /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}');
  socket.resume();
  await once(socket, 'close');
  t.equal(counts.started, 1_001);
  t.ok(bytes > 1_001 * 100_000, `${bytes} bytes`);
});

t.test('closes a connection that accepts nothing from a pending answer', async (t) => {
  const { counts, port } = await counting(t, 300);
  const socket = await silentReader(t, port);
  socket.write(REQUEST);
  await until('the end of the connection', () => counts.started === 1 && counts.open === 0);
  t.equal(counts.open, 0);
});

t.test('answers a client that closed its sending side, although the answer takes a while', async (t) => {
  const { app } = createHttpServer({
    paths: [{ path: '/a', methods: ['GET'], answer: () => sleep(50).then(() => ({ status: 200, body: 'late' })) }],
    connectionsMax: 0,
    log: pino({ level: 'silent' }),
  });
  t.teardown(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect({ port: (app.server.address() as { port: number }).port, host: '127.0.0.1' });
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.end(REQUEST.repeat(2));
  await once(socket, 'close');
  t.equal(text.match(/late/g)?.length, 2);
});

t.test('closes connections with unread answers when their total is too large', async (t) => {
  const answers = new ByteBudget({ bytesMax: 2.5 * ANSWER_BYTES });
  const { counts, port } = await counting(t, 30_000, ANSWER_BYTES, { ...createMemoryBudgets(), answers });
  for (let at = 0; at < 4; at++) (await silentReader(t, port)).write(REQUEST);
  await until('all answers', () => counts.started === 4);
  await until('the end of two connections', () => counts.open === 2);
  t.equal(answers.bytes, 2 * ANSWER_BYTES);
});
