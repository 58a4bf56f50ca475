import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Fastify from 'fastify';
import { buildSchema } from 'graphql';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import type { SubscriberContext } from '../../../../../src/api/graphql/resolvers/subscription-resolvers.js';
import { serveSubscriptions } from '../../../../../src/api/graphql/web-sockets/serve-subscriptions.js';
import { createSubscriptionServer } from '../../../../../src/api/graphql/web-sockets/subscription-server.js';
import { LOCAL_SOURCES } from '../../../../../src/api/http/server/request-sources.js';
import { createMemoryBudgets } from '../../../../../src/api/middleware/memory-budgets.js';
import { until } from '../../../../support/until.js';

type Resolvers = Parameters<typeof createSubscriptionServer>[0]['resolvers'];

const SCHEMA = 'type Query { a: Int } type Subscription { blocks: Int }';
const INIT = JSON.stringify({ type: 'connection_init' });
const START = JSON.stringify({ type: 'subscribe', id: '1', payload: { query: 'subscription { blocks }' } });
const COMPLETE = JSON.stringify({ type: 'complete', id: '1' });

/** A stream of events that only `return` ends. */
class EndlessStream {
  /** Number of events that were requested. */
  requested = 0;
  private isOver = false;
  private readonly streams: SubscriberContext['streams'];

  constructor(streams: SubscriberContext['streams']) {
    this.streams = streams;
    streams.add(this);
  }

  async next(): Promise<IteratorResult<{ blocks: number }>> {
    if (this.isOver) return { done: true, value: undefined };
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { done: false, value: { blocks: this.requested++ } };
  }

  async return(): Promise<IteratorResult<never>> {
    this.isOver = true;
    this.streams.delete(this);
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

async function connected(t: Test) {
  const contexts = new Set<SubscriberContext>();
  const subscribe = (_: unknown, __: unknown, context: SubscriberContext) => {
    contexts.add(context);
    return new EndlessStream(context.streams);
  };
  const app = Fastify();
  const resolvers = { blocks: { subscribe, resolve: ({ blocks }: { blocks: number }) => blocks } };
  const server = createSubscriptionServer({
    schema: buildSchema(SCHEMA),
    resolvers: resolvers as unknown as Resolvers,
    shownErrors: (errors) => [...errors],
  });
  const budget = createMemoryBudgets().requests;
  serveSubscriptions(app, { path: '/graphql', sources: LOCAL_SOURCES, messageBytesMax: 10_000, budget, server });
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.teardown(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
  t.teardown(() => socket.terminate());
  await once(socket, 'open');
  const messages: string[] = [];
  socket.on('message', (message) => messages.push(String(message)));
  socket.send(INIT);
  await until('the acknowledgement', () => messages.length === 1);
  return { port, socket, messages, streams: () => [...contexts].reduce((sum, { streams }) => sum + streams.size, 0) };
}

t.test('sends events until the client ends the subscription', async (t) => {
  const { socket, messages, streams } = await connected(t);
  socket.send(START);
  await until('three messages', () => messages.length >= 3);
  t.same(messages.slice(1, 3), [
    '{"id":"1","type":"next","payload":{"data":{"blocks":0}}}',
    '{"id":"1","type":"next","payload":{"data":{"blocks":1}}}',
  ]);
  socket.send(COMPLETE);
  await until('the end of the stream', () => streams() === 0);
});

t.test('ends all streams of a closed connection, even if ids of subscriptions were used twice', async (t) => {
  const { socket, streams } = await connected(t);
  for (let round = 0; round < 10; round++) {
    socket.send(START);
    socket.send(COMPLETE);
  }
  socket.send(START);
  await until('the last subscription', () => streams() > 0);
  socket.close();
  await until('the end of the streams', () => streams() === 0);
});

t.test('ends all streams of a connection that violates the protocol and does not answer the close frame', async (t) => {
  const { socket, streams } = await connected(t);
  socket.send(START);
  await until('the subscription', () => streams() === 1);
  socket.pause();
  socket.send(INIT);
  await until('the end of the streams', () => streams() === 0);
});

t.test('keeps running if the client of a rejected web page resets the connection', async (t) => {
  const { port, socket, messages } = await connected(t);
  const head = 'GET /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://example.org\r\nUpgrade: websocket\r\n';
  for (let round = 0; round < 10; round++) {
    const client = connect(port, '127.0.0.1');
    client.write(`${head}Connection: Upgrade\r\n\r\n`);
    const [answer] = await once(client, 'data');
    if (round === 0) t.match(String(answer), /^HTTP\/1.1 403 /);
    client.resetAndDestroy();
  }
  socket.send(JSON.stringify({ type: 'ping' }));
  await until('the pong', () => messages.length === 2);
});
