import { once } from 'node:events';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { serveLedger } from '../../../support/graphql/served-ledger.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until } from '../../../support/until.js';

const INIT = JSON.stringify({ type: 'connection_init' });
const BLOCKS = 'subscription { blocks { cursor } }';
const start = (id: unknown, query: unknown): string => JSON.stringify({ type: 'subscribe', id, payload: { query } });

interface Client {
  readonly socket: WebSocket;
  readonly messages: { readonly type: string; readonly id?: string; readonly payload?: unknown }[];
  code: number | undefined;
}

async function connect(t: Test, port: number, protocols = ['graphql-transport-ws']): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, protocols);
  const client: Client = { socket, messages: [], code: undefined };
  t.teardown(() => socket.terminate());
  socket.on('error', () => undefined);
  socket.on('message', (data) => client.messages.push(JSON.parse(String(data))));
  socket.on('close', (code) => {
    client.code = code;
  });
  await once(socket, 'open');
  return client;
}

/** Opens a connection that is ready for subscriptions. */
async function connectReady(t: Test, port: number): Promise<Client> {
  const client = await connect(t, port);
  client.socket.send(INIT);
  await until('the acknowledgement', () => client.messages.length === 1);
  return client;
}

async function serve(t: Test): Promise<number> {
  const { ledger, app, port } = await serveLedger(temporaryFolder(t));
  t.teardown(async () => {
    await app.close();
    await ledger.close();
  });
  return port;
}

t.test('closes a connection that violates the protocol', async (t) => {
  const port = await serve(t);
  const cases: readonly (readonly [name: string, messages: readonly string[], code: number])[] = [
    ['no JSON', ['x'], 4400],
    ['no type', ['{}'], 4400],
    ['null', ['null'], 4400],
    ['an unknown type', ['{"type":"nothing"}'], 4400],
    ['an id that is not a text', [start({ a: 1 }, BLOCKS)], 4400],
    ['a subscription without a query', [start('1', undefined)], 4400],
    ['a query that is not a text', [start('1', { kind: 'Document', definitions: [] })], 4400],
    ['a subscription without initialisation', [start('1', BLOCKS)], 4401],
    ['a second initialisation', [INIT, INIT], 4429],
    ['a large message', [start('1', `${BLOCKS}#${'x'.repeat(300_000)}`)], 1009],
  ];
  for (const [name, messages, code] of cases) {
    const client = await connect(t, port);
    for (const message of messages) client.socket.send(message);
    await until(`the end after ${name}`, () => client.code !== undefined);
    t.equal(client.code, code, name);
  }
  const repeating = await connectReady(t, port);
  for (let round = 0; round < 2; round++) repeating.socket.send(start('1', BLOCKS));
  await until('the end after an id in use', () => repeating.code !== undefined);
  t.equal(repeating.code, 4409, 'an id in use');
  const client = await connect(t, port, []);
  await until('the end', () => client.code !== undefined);
  t.equal(client.code, 4406, 'no protocol');
});

t.test('answers an invalid subscription with an error, and the id can be used again', async (t) => {
  const port = await serve(t);
  const client = await connectReady(t, port);
  const cases: readonly (readonly [query: unknown, error: RegExp])[] = [
    ['{ status { headNumber } }', /only subscriptions/],
    ['subscription {', /Syntax Error/],
    [`${BLOCKS}${' '.repeat(20_000)}`, /maximum is 16384/],
    [`subscription { blocks { block { ${'number '.repeat(1100)} } } }`, /tokens/],
  ];
  for (const [at, [query, error]] of cases.entries()) {
    client.socket.send(start('1', query));
    await until('the error', () => client.messages.length === at + 2);
    t.match(client.messages.at(-1), { type: 'error', id: '1', payload: [{ message: error }] });
  }
});

t.test('limits the open subscriptions of a connection', async (t) => {
  const port = await serve(t);
  const client = await connectReady(t, port);
  for (let id = 0; id < 33; id++) client.socket.send(start(String(id), BLOCKS));
  await until('the error', () => client.messages.length === 2);
  t.match(client.messages[1], {
    ...{ type: 'error', id: '32' },
    payload: [{ extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' } }],
  });
  client.socket.send(JSON.stringify({ type: 'complete', id: '5' }));
  client.socket.send(JSON.stringify({ type: 'ping' }));
  await until('the pong', () => client.messages.at(-1)?.type === 'pong');
  client.socket.send(start('32', BLOCKS));
  client.socket.send(JSON.stringify({ type: 'ping' }));
  await until('the second pong', () => client.messages.length === 4);
  t.equal(client.messages.at(-1)?.type, 'pong', 'after the end of a subscription, another one can start');
});

t.test('stops reading requests of a client that reads no answers', async (t) => {
  const port = await serve(t);
  const { socket } = await connectReady(t, port);
  socket.pause();
  // The messages and their error answers have about 50 MB each, which exceeds the buffers of the operating system.
  for (let id = 0; id < 200_000; id++) {
    socket.send(start(String(id).padStart(128, '0'), BLOCKS));
    if (id % 1_000 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  let before = -1;
  while (socket.bufferedAmount !== before) {
    before = socket.bufferedAmount;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  t.ok(socket.bufferedAmount > 10_000_000, `${socket.bufferedAmount} bytes wait in the client`);
});
