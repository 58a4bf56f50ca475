import { request } from 'node:http';
import t from 'tap';
import { WebSocket } from 'ws';
import { decodeBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { EVENT_TIMEOUT_MS } from '../../../support/event-timeout.js';
import { serveRpc } from '../../../support/jsonrpc/served-rpc.js';

const RECORDING = 'tvm-forks-14-shanghai';
const ON = { subscriptions: true };

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly params?: { readonly subscription: string; readonly result: Record<string, unknown> };
}

/** One connection and the messages that it has received. */
class Caller {
  readonly socket: WebSocket;
  readonly messages: Message[] = [];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  private ids = 0;

  constructor(port: number, path = '/jsonrpc') {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
    this.socket.on('message', (data) => this.messages.push(JSON.parse(String(data)) as Message));
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
    });
  }

  async opened(): Promise<this> {
    await new Promise((resolve) => this.socket.once('open', resolve));
    return this;
  }

  async query(method: string, params: readonly unknown[]): Promise<Message> {
    const id = ++this.ids;
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    await this.until(() => this.messages.some((message) => message.id === id));
    return this.messages.find((message) => message.id === id)!;
  }

  /** Returns the events of a subscription that were received so far. */
  events(id: unknown): Record<string, unknown>[] {
    return this.messages.flatMap(({ params }) => (params?.subscription === id ? [params!.result] : []));
  }

  async until(isReached: () => boolean): Promise<void> {
    const limit = Date.now() + EVENT_TIMEOUT_MS;
    while (!isReached()) {
      if (Date.now() > limit) throw new Error(`received ${JSON.stringify(this.messages).slice(0, 500)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

t.test('emits heads and logs when added, and logs again when removed', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: ON, until: 70 });
  const caller = await new Caller(rpc.ports.fullnode).opened();
  t.equal((await caller.query('eth_blockNumber', [])).result, '0x46');
  const heads = (await caller.query('eth_subscribe', ['newHeads'])).result;
  const logs = (await caller.query('eth_subscribe', ['logs', {}])).result;
  t.match(heads, /^0x[0-9a-f]{32}$/);
  await rpc.pushTo(100);
  await caller.until(() => caller.events(heads).length === 30);
  const { transactions, uncles, size, totalDifficulty, ...header } = await rpc.get<Record<string, unknown>>(
    'eth_getBlockByNumber',
    ['0x64', false],
  );
  t.ok([transactions, uncles, size, totalDifficulty].every((member) => member !== undefined));
  t.same(caller.events(heads).at(-1), header);
  t.same(
    caller.events(heads).map(({ number }) => Number(number)),
    Array.from({ length: 30 }, (_, at) => 71 + at),
  );
  const joined = await rpc.get<Record<string, unknown>[]>('eth_getLogs', [{ fromBlock: '0x47', toBlock: '0x64' }]);
  t.ok(joined.length > 0);
  await caller.until(() => caller.events(logs).length === joined.length);
  t.same(caller.events(logs), joined);

  const [example] = joined as { address: string; topics: string[] }[];
  const some = (await caller.query('eth_subscribe', ['logs', { address: example!.address, topics: example!.topics }]))
    .result;
  rpc.chain.rollback(70);
  await rpc.chain.ledger.flush();
  await caller.until(() => caller.events(logs).length === 2 * joined.length);
  const removedLogs = caller.events(logs).slice(joined.length);
  t.ok(removedLogs.every(({ removed }) => removed));
  t.same(
    new Set(removedLogs.map((log) => JSON.stringify({ ...log, removed: false }))),
    new Set(joined.map((log) => JSON.stringify(log))),
  );
  t.ok(caller.events(some).length > 0 && caller.events(some).every(({ address }) => address === example!.address));
  t.equal(caller.events(heads).length, 30, 'no newHeads event for a reverted block');

  t.equal((await caller.query('eth_unsubscribe', [heads])).result, true);
  t.equal((await caller.query('eth_unsubscribe', [heads])).error?.message, 'subscription not found');
  await rpc.pushTo(80);
  await caller.until(() => caller.events(logs).length > 2 * joined.length);
  t.equal(caller.events(heads).length, 30);
  caller.socket.close();
});

t.test('emits solidified blocks on the solidity port', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: ON, until: 100 });
  const caller = await new Caller(rpc.ports.solidity, '/').opened();
  const first = rpc.chain.ledger.position.solidifiedNumber + 1;
  const heads = (await caller.query('eth_subscribe', ['newHeads'])).result;
  t.match((await caller.query('eth_subscribe', ['newPendingTransactions'])).error?.message, /not available/);
  await rpc.pushTo(110);
  const last = rpc.chain.ledger.position.solidifiedNumber;
  t.ok(last > first);
  await caller.until(() => caller.events(heads).length === last - first + 1);
  t.equal(Number(caller.events(heads)[0]!['number']), first);
  caller.socket.close();
});

t.test('emits pending transactions and the sync status', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: ON, until: 60 });
  const caller = await new Caller(rpc.ports.fullnode).opened();
  const ids = (await caller.query('eth_subscribe', ['newPendingTransactions'])).result;
  const whole = (await caller.query('eth_subscribe', ['newPendingTransactions', true])).result;
  const syncing = (await caller.query('eth_subscribe', ['syncing'])).result;
  const next = decodeBlock(Buffer.from(rpc.blocks.get(61)!, 'hex')).transactions;
  for (const transaction of next) {
    try {
      rpc.chain.mempool.add(transaction);
    } catch {}
  }
  const pending = [...rpc.chain.mempool.pending.values()].map(({ transaction }) => `0x${transaction.idHex}`);
  t.ok(pending.length > 0);
  await caller.until(() => caller.events(whole).length === pending.length);
  t.same(caller.events(ids), pending);
  t.same(
    caller.events(whole).map(({ hash }) => hash),
    pending,
  );
  await caller.until(() => caller.events(syncing).length === 1);
  t.same(caller.events(syncing), [false], 'a node without peers is not syncing');
  caller.socket.close();
});

t.test('rejects unknown subscription names, and limits subscriptions per connection and request size', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: ON, until: 20 });
  const caller = await new Caller(rpc.ports.fullnode).opened();
  t.match((await caller.query('eth_subscribe', ['nothing'])).error, { code: -32602 });
  t.match((await caller.query('eth_subscribe', ['logs', { address: '0x12' }])).error, { code: -32602 });
  t.match((await caller.query('eth_subscribe', ['logs', { adress: '0x12' }])).error, {
    code: -32602,
    message: 'invalid filter: unknown member "adress"; did you mean address?',
  });
  t.match((await caller.query('eth_subscribe', [])).error, { code: -32602 });
  for (const kind of ['newHeads', 'syncing']) {
    // MetaMask sends an empty object, and Infura documented `includeTransactions`.
    for (const option of [{ includeTransactions: true }, true, 'full', [], 0])
      t.match((await caller.query('eth_subscribe', [kind, option])).error, {
        code: -32602,
        message: `${kind} has no options; omit the second parameter`,
      });
    for (const none of [{}, null, false]) {
      const id = (await caller.query('eth_subscribe', [kind, none])).result;
      t.equal((await caller.query('eth_unsubscribe', [id])).result, true);
    }
  }
  for (let i = 0; i < 128; i++) t.match((await caller.query('eth_subscribe', ['newHeads'])).result, /^0x/);
  t.match(
    (await caller.query('eth_subscribe', ['newHeads'])).error?.message,
    'too many subscriptions; the maximum per connection is 128',
  );
  const other = await new Caller(rpc.ports.fullnode).opened();
  t.ok((await other.query('eth_subscribe', ['newHeads'])).result);
  other.socket.send('x'.repeat(17 * 1024 * 1024));
  t.equal((await other.closed).code, 1009);
  caller.socket.close();
  await caller.closed;
});

t.test('does not count WebSockets against the limit of other requests', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: ON, until: 5 });
  const { maxHttpConnectNumber } = rpc.config.node;
  const callers = await Promise.all(
    Array.from({ length: maxHttpConnectNumber + 1 }, () => new Caller(rpc.ports.fullnode).opened()),
  );
  const body = '{"jsonrpc":"2.0","id":7,"method":"eth_blockNumber","params":[]}';
  const answer = await fetch(`http://127.0.0.1:${rpc.ports.fullnode}/jsonrpc`, { method: 'POST', body });
  t.match(await answer.json(), { result: '0x5' });
  for (const caller of callers) caller.socket.close();
  await Promise.all(callers.map(({ closed }) => closed));
});

t.test('closes a slow client with a reason and keeps serving others', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: ON, until: 100 });
  const slow = await new Caller(rpc.ports.fullnode).opened();
  const live = await new Caller(rpc.ports.fullnode).opened();
  for (let i = 0; i < 128; i++) await slow.query('eth_subscribe', ['newHeads']);
  const heads = (await live.query('eth_subscribe', ['newHeads'])).result;
  slow.socket.pause();
  // Each of the 180 new heads causes 2 KB for each of the 128 subscriptions, which exceeds the socket buffers of some
  // megabytes.
  let count = 0;
  for (let round = 0; round < 3; round++) {
    await rpc.pushTo(160);
    count += 60;
    await live.until(() => live.events(heads).length === count);
    rpc.chain.rollback(100);
    await rpc.chain.ledger.flush();
  }
  slow.socket.resume();
  const { code, reason } = await slow.closed;
  t.equal(code, 1008);
  t.match(reason, /^too slow: \d+ unread bytes, maximum 8388608$/);
  live.socket.close();
});

t.test('answers an upgrade to another protocol the same way with and without WebSocket', async (t) => {
  const on = await serveRpc(t, RECORDING, { features: ON, until: 5 });
  const off = await serveRpc(t, RECORDING, { until: 5 });
  const cases = [
    {
      method: 'POST',
      path: '/jsonrpc',
      upgrade: 'h2c',
      body: '{"jsonrpc":"2.0","id":7,"method":"eth_chainId","params":[]}',
    },
    { method: 'POST', path: '/jsonrpc', upgrade: 'h2c', body: `"${'x'.repeat(200_000)}"` },
    { method: 'GET', path: '/jsonrpc', upgrade: 'h2c', body: '' },
    { method: 'GET', path: '/other', upgrade: 'websocket', body: '' },
  ];
  for (const sent of cases) {
    const answers = [await send(on.ports.fullnode, sent), await send(off.ports.fullnode, sent)];
    t.same(answers[0], answers[1], `${sent.method} ${sent.path} ${sent.upgrade}`);
  }
  const socket = new Caller(off.ports.fullnode);
  t.equal((await socket.closed).code, 1006, 'a disabled WebSocket rejects the connection');
});

function send(port: number, sent: { method: string; path: string; upgrade: string; body: string }): Promise<object> {
  return new Promise((resolve, reject) => {
    const headers = {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: sent.upgrade,
      'http2-settings': 'AAMAAABkAAQAAP__',
      'content-length': Buffer.byteLength(sent.body),
    };
    const made = request({ port, host: '127.0.0.1', method: sent.method, path: sent.path, headers }, (reply) => {
      let body = '';
      reply.on('data', (chunk) => {
        body += chunk;
      });
      reply.on('end', () => resolve({ status: reply.statusCode, type: reply.headers['content-type'], body }));
    });
    made.on('error', reject);
    made.end(sent.body);
  });
}

t.test('closes the connections of all subscriptions after the log could not be read', async (t) => {
  const rpc = await serveRpc(t, RECORDING, { features: ON, until: 70 });
  const { ledger } = rpc.chain;
  const { pages } = ledger;
  let fails = true;
  ledger.pages = async function* (range) {
    for await (const page of pages.call(ledger, range)) {
      if (fails) throw new Error('the disk failed');
      yield page;
    }
  };
  const caller = await new Caller(rpc.ports.fullnode).opened();
  for (let count = 0; count < 2; count++) await caller.query('eth_subscribe', ['newHeads']);
  await rpc.pushTo(72);
  t.same(await caller.closed, { code: 1011, reason: 'internal error' });
  fails = false;
  const later = await new Caller(rpc.ports.fullnode).opened();
  const heads = (await later.query('eth_subscribe', ['newHeads'])).result;
  await rpc.pushTo(75);
  await later.until(() => later.events(heads).length === 3);
});
