import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pino from 'pino';
import t from 'tap';
import { WebSocket } from 'ws';
import { createHttpServer } from '../../../../../src/api/http/server/http-server.js';
import { LOCAL_SOURCES } from '../../../../../src/api/http/server/request-sources.js';
import { rpcMethod } from '../../../../../src/api/jsonrpc/envelope.js';
import type { RpcContext } from '../../../../../src/api/jsonrpc/methods/rpc-context.js';
import type { ChainEvent, ChainEvents } from '../../../../../src/api/jsonrpc/subscriptions/chain-events.js';
import { PendingAnswer } from '../../../../../src/api/jsonrpc/subscriptions/pending-answer.js';
import { Subscriptions } from '../../../../../src/api/jsonrpc/subscriptions/subscriptions.js';
import { serveWebSockets } from '../../../../../src/api/jsonrpc/subscriptions/web-sockets.js';
import { createMemoryBudgets } from '../../../../../src/api/middleware/memory-budgets.js';
import { apiRelease } from '../../../../../src/api/releases/releases.js';
import { NO_RPC_LIMITS } from '../../../../../src/api/releases/rpc-limits.js';
import { TransactionInfo, TransactionInfoLog } from '../../../../../src/codec/generated/messages.js';
import { until } from '../../../../support/until.js';

const log = Object.assign(new TransactionInfoLog(), { address: new Uint8Array(20) });
/** A block with one log. */
const event = {
  isReverted: false,
  content: {
    block: { number: 1, id: new Uint8Array(32), timeMs: 0 },
    infos: [Object.assign(new TransactionInfo(), { log: [log] })],
  },
} as unknown as ChainEvent;

// Reports about Ethereum nodes: clients ignore notifications that arrive before the id of their subscription.
t.test('sends the answer to a batch before the notifications of its subscriptions', async (t) => {
  const settings = { release: apiRelease('4.8.2'), rpcLimits: NO_RPC_LIMITS };
  let emit: (event: ChainEvent) => void = () => undefined;
  const events = {
    listen: (_: unknown, listener: typeof emit) => {
      emit = listener;
      return () => undefined;
    },
  } as unknown as ChainEvents;
  const subscriptions = new Subscriptions({ api: { settings }, view: 'head' } as unknown as RpcContext, events);
  const server = createHttpServer({
    paths: [],
    connectionsMax: 0,
    budgets: createMemoryBudgets(),
    log: pino({ level: 'silent' }),
  });
  const slow = rpcMethod('slow', [], async () => {
    emit(event);
    await nextTurn();
    return 'done';
  });
  serveWebSockets(server, {
    methods: new Map([slow]),
    form: settings,
    subscriptions,
    sources: LOCAL_SOURCES,
    messageBytesMax: 100_000,
  });
  t.teardown(() => server.app.close());
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.app.server.address() as { port: number };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/jsonrpc`);
  t.teardown(() => socket.terminate());
  const messages: { readonly params?: { readonly subscription: string } }[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  await once(socket, 'open');
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['logs', {}] };
  socket.send(JSON.stringify([call, { jsonrpc: '2.0', id: 2, method: 'slow', params: [] }]));
  await until('the first notification', () => messages.length === 2);
  const [answers, notification] = messages as unknown as [{ result: unknown }[], (typeof messages)[number]];
  t.equal(answers[1]?.result, 'done');
  t.equal(notification.params?.subscription, answers[0]?.result);
  emit(event);
  await until('a notification after the answer', () => messages.length === 3);
});

t.test('sends notifications before the answer if 1,000 of them wait for it', async (t) => {
  const pending = new PendingAnswer();
  const sent: number[] = [];
  for (let number = 0; number < 999; number++) pending.after(() => sent.push(number));
  t.equal(sent.length, 0);
  for (let number = 999; number < 1002; number++) pending.after(() => sent.push(number));
  pending.sent();
  t.same(sent, [...Array(1002).keys()]);
});
