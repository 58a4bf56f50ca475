import type { AddressInfo } from 'node:net';
import t from 'tap';
import type { ReplicaStatus } from '../../../../src/api/graphql/node-progress.js';
import { EVENT_TIMEOUT_MS } from '../../../support/event-timeout.js';
import { serveRecording } from '../../../support/graphql/served-chain.js';
import { serveLedger } from '../../../support/graphql/served-ledger.js';
import { Subscriber } from '../../../support/graphql/subscriber.js';
import { appendTransfers } from '../../../support/streams/transfer-chain.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const TRANSACTIONS = `subscription ($after: Cursor, $finality: Finality!) {
  transactions(finality: $finality, after: $after) { cursor kind transaction { id blockNumber index data } } }`;

function places(subscriber: Subscriber): string[] {
  return subscriber.events('transactions').map(({ transaction }) => {
    const { blockNumber, index } = transaction as { blockNumber: string; index: number };
    return `${blockNumber}/${index}`;
  });
}

function expected(from: number, to: number, each: number): string[] {
  return Array.from({ length: (to - from + 1) * each }, (_, at) => `${from + Math.floor(at / each)}/${at % each}`);
}

t.test('sends a resumed client each event after its cursor once and in order', async (t) => {
  const { ledger, app, port } = await serveLedger(temporaryFolder(t));
  const append = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++)
      appendTransfers(ledger, { transactions: 3, solidified: ledger.position.headNumber });
    await ledger.flush();
  };
  for (const finality of ['APPLIED', 'SOLIDIFIED']) {
    const first = ledger.position.headNumber + (finality === 'APPLIED' ? 1 : 0);
    const one = new Subscriber(port, TRANSACTIONS, { finality });
    await one.until(({ messages }) => messages.length === 1);
    // The subscription is not active yet when its acknowledgement arrives. Waits until it is active.
    await new Promise((resolve) => setTimeout(resolve, 200));
    await append(4);
    await one.until((subscriber) => places(subscriber).length >= 8);
    await one.close();
    const got = places(one);
    const after = one.events('transactions').at(-1)?.['cursor'];
    await append(5);
    const two = new Subscriber(port, TRANSACTIONS, { finality, after });
    await append(2);
    const last = ledger.position.headNumber - (finality === 'APPLIED' ? 0 : 1);
    const all = expected(Math.max(first, 1), last, 3);
    await two.until((subscriber) => places(subscriber).length >= all.length - got.length);
    t.same([...got, ...places(two)], all, finality);
    await two.close();
  }
  await app.close();
  await ledger.close();
});

t.test('emits the status only when it changes', async (t) => {
  const { ledger, app, port } = await serveLedger(temporaryFolder(t));
  const one = new Subscriber(port, 'subscription { status { headNumber logSeq sinks { name } projections { name } } }');
  const heads = (): string[] => one.events('status').map(({ headNumber }) => String(headNumber));
  await one.until(() => heads().length === 1);
  await new Promise((resolve) => setTimeout(resolve, 1200));
  t.equal(heads().length, 1, 'no event without a change');
  appendTransfers(ledger, { transactions: 1 });
  await ledger.flush();
  await one.until(() => heads().length === 2);
  t.equal(heads().at(-1), String(ledger.position.headNumber));
  await one.close();
  await app.close();
  await ledger.close();
});

t.test('reports a lag only on a read replica', async (t) => {
  let replica: ReplicaStatus | undefined;
  const { app, query } = await serveRecording(t, 'stake', { until: 5, replica: () => replica });
  const fields = 'status { replica { lagRecords lagSeconds isConnected } }';
  t.same((await query(`{ ${fields} }`)).data, { status: { replica: null } });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const one = new Subscriber((app.server.address() as AddressInfo).port, `subscription { ${fields} }`);
  const statuses = (): unknown[] => one.events('status').map((status) => status['replica']);
  await one.until(() => statuses().length === 1);
  const steps = [
    { lagRecords: 3_000_000_000, lagSeconds: 12.3, isConnected: true },
    { lagRecords: 3_000_000_000, lagSeconds: 12.3, isConnected: false },
    { lagRecords: 0, lagSeconds: 0, isConnected: true },
  ];
  for (const step of steps) {
    replica = step;
    const before = statuses().length;
    await one.until(() => statuses().length > before);
    t.same(statuses().at(-1), { ...step, lagRecords: String(step.lagRecords) });
    t.same((await query(`{ ${fields} }`)).data, { status: { replica: statuses().at(-1) } });
  }
  await one.close();
});

t.test('reports a storage problem until blocks are stored again', async (t) => {
  let problem: string | undefined;
  const { app, query } = await serveRecording(t, 'stake', { until: 5, storageProblem: () => problem });
  const fields = 'status { storageProblem }';
  t.same((await query(`{ ${fields} }`)).data, { status: { storageProblem: null } });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const one = new Subscriber((app.server.address() as AddressInfo).port, `subscription { ${fields} }`);
  const seen = (): unknown[] => one.events('status').map(({ storageProblem }) => storageProblem);
  await one.until(() => seen().length === 1);
  problem = 'the disk is full';
  await one.until(() => seen().length === 2);
  t.same((await query(`{ ${fields} }`)).data, { status: { storageProblem: problem } });
  problem = undefined;
  await one.until(() => seen().length === 3);
  t.same(seen(), [null, 'the disk is full', null]);
  await one.close();
});

t.test('limits the memory for a slow client, which can resume from its cursor', async (t) => {
  const { ledger, app, port } = await serveLedger(temporaryFolder(t), { stallMs: 300, closeTimeoutMs: 60_000 });
  const slow = new Subscriber(port, TRANSACTIONS, { finality: 'APPLIED' });
  const live = new Subscriber(port, 'subscription { blocks(finality: APPLIED) { cursor block { number } } }');
  await live.until(({ messages }) => messages.length === 1);
  await slow.until(({ messages }) => messages.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  slow.socket.pause();
  const blocks = 60;
  // The blocks cause 24 MB of events, which exceeds the socket buffers.
  for (let i = 0; i < blocks; i++) {
    appendTransfers(ledger, { transactions: 2, memoBytes: 100_000 });
    await ledger.flush();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await live.until((subscriber) => subscriber.events('blocks').length === blocks);
  t.pass('other subscribers receive every event in the meantime');
  await new Promise((resolve) => setTimeout(resolve, 800));
  slow.socket.resume();
  await slow.until(({ messages }) => messages.at(-1)?.type === 'error');
  const error = slow.messages.at(-1)?.payload?.[0];
  t.equal(error?.extensions['code'], 'SUBSCRIBER_TOO_SLOW');
  const got = places(slow);
  t.ok(got.length > 0 && got.length < 2 * blocks, `the slow subscriber received ${got.length} events`);
  t.equal(error?.extensions['cursor'], slow.events('transactions').at(-1)?.['cursor']);
  const again = new Subscriber(port, TRANSACTIONS, { finality: 'APPLIED', after: error?.extensions['cursor'] });
  await again.until((subscriber) => places(subscriber).length >= 2 * blocks - got.length);
  t.same([...got, ...places(again)], expected(1, blocks, 2));
  await Promise.all([slow.close(), again.close(), live.close()]);
  await app.close();
  await ledger.close();
});

t.test('disconnects a client that never reads and closes the server with open connections', async (t) => {
  const { ledger, app, port } = await serveLedger(temporaryFolder(t), { stallMs: 100, closeTimeoutMs: 100 });
  const dead = new Subscriber(port, TRANSACTIONS, { finality: 'APPLIED' });
  const idle = new Subscriber(port, TRANSACTIONS, { finality: 'SOLIDIFIED' });
  await dead.until(({ messages }) => messages.length === 1);
  await idle.until(({ messages }) => messages.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  dead.socket.pause();
  for (let i = 0; i < 60; i++) appendTransfers(ledger, { transactions: 2, memoBytes: 100_000 });
  await ledger.flush();
  const count = (): Promise<number> =>
    new Promise((resolve) => app.server.getConnections((_, connections) => resolve(connections)));
  const limit = Date.now() + EVENT_TIMEOUT_MS;
  while ((await count()) > 1 && Date.now() < limit) await new Promise((resolve) => setTimeout(resolve, 50));
  t.equal(await count(), 1, 'only the idle connection is open');
  const started = Date.now();
  await app.close();
  t.ok(Date.now() - started < 20_000, 'close does not wait for a client that never reads');
  await idle.closed;
  dead.socket.terminate();
  await ledger.close();
});

t.test('rejects invalid subscriptions', async (t) => {
  const { ledger, app, port } = await serveLedger(temporaryFolder(t));
  const cases: readonly (readonly [query: string, text: RegExp])[] = [
    ['subscription { nothing { cursor } }', /Cannot query field/],
    ['subscription { blocks(after: "eA") { cursor } }', /cursor/],
    [
      `subscription { blocks { block { ${'transactions { block { '.repeat(6)} id ${'} }'.repeat(6)} } } }`,
      /levels of fields/,
    ],
  ];
  for (const [query, text] of cases) {
    const subscriber = new Subscriber(port, query);
    await subscriber.until(({ messages }) => messages.length === 2);
    t.equal(subscriber.messages[1]?.type, 'error', query);
    t.match(subscriber.messages[1]?.payload?.[0]?.message, text);
    await subscriber.close();
  }
  await app.close();
  await ledger.close();
});
