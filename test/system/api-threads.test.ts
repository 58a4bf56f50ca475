import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { type Devnet, sendTransaction, startDevnet } from '../support/devnet.js';
import { OneConnection } from '../support/threads/connection.js';
import { until, untilServed } from '../support/until.js';

// Two API threads share their ports. Node.js 20 cannot share a port, so the network runs on the release of Node.js that
// `system/clients/prepare.mjs` has installed.

const NODE = fileURLToPath(
  new URL('../../node_modules/.cache/tronicle-clients/node/node_modules/node/bin/node', import.meta.url),
);
const PRELOADED = fileURLToPath(new URL('../support/threads/terminate-thread.mjs', import.meta.url));
/** Threads that the tests terminate, in this order. The first API thread stores the filters and builds the indexes. */
const [FIRST, SECOND] = ['API thread', 'API thread 2'];
const TERMINATED = [SECOND, FIRST, SECOND, FIRST].join(',');
/** Number of connections of a test. The probability that one thread gets all of them is 2^-15. */
const CONNECTIONS = 16;
const CONNECTIONS_MAX = 40;
const QPS = 20;
const RATE_MS = 1500;

interface WebSocketClient {
  on(event: 'message', listener: (data: Buffer) => void): void;
  once(event: 'open', listener: () => void): void;
  send(text: string): void;
  terminate(): void;
}

const WebSocketClient = createRequire(import.meta.url)('ws') as new (url: string) => WebSocketClient;

/** @param lines lines that are added to `tronicle` and to `node` in the configuration */
async function startTwoThreads(
  t: Parameters<typeof startDevnet>[0],
  lines: { readonly rates?: string } = {},
): Promise<Devnet> {
  process.env['TERMINATED_THREADS'] = TERMINATED;
  const devnet = await startDevnet(t, {
    program: { path: NODE, options: ['--import', PRELOADED] },
    logLevel: 'info',
    edit: (config) =>
      config
        .replace('api.workers = 1', 'api.workers = 2')
        .replace('maxHttpConnectNumber = 1000', `maxHttpConnectNumber = ${CONNECTIONS_MAX}`)
        .concat('\nnode.metricsEnable = true\n', lines.rates ?? ''),
  });
  await untilServed('both threads', async () => (await threadsOf(devnet)).length === 3);
  return devnet;
}

function openConnections(t: Parameters<typeof startDevnet>[0], count = CONNECTIONS): readonly OneConnection[] {
  const connections = Array.from({ length: count }, () => new OneConnection());
  t.teardown(() => {
    for (const connection of connections) connection.close();
  });
  return connections;
}

const rpc = async <T>(
  devnet: Devnet,
  connection: OneConnection,
  method: string,
  params: unknown[] = [],
): Promise<T> => {
  const body = { jsonrpc: '2.0', id: 1, method, params };
  const answer = await connection.post<{ result: T; error?: { message: string } }>(devnet.port(8545), '/jsonrpc', body);
  if (answer.error !== undefined) throw new Error(answer.error.message);
  return answer.result;
};

const heightOf = async (devnet: Devnet, connection: OneConnection): Promise<number> =>
  Number(await rpc<string>(devnet, connection, 'eth_blockNumber'));

/**
 * Returns the number of restarts of API threads, read from the log. The metrics are not used, because they count a
 * restart before the new thread is ready.
 */
function restarts(devnet: Devnet): number {
  const lines = readFileSync(join(devnet.dataDir, 'tronicle.log'), 'utf8').split('\n');
  return lines.filter((line) => line.includes('"msg":"thread restarted"')).length;
}

/** Returns the number of connections on which a request is answered. */
async function answered(devnet: Devnet, connections: readonly OneConnection[]): Promise<number> {
  const answers = await Promise.allSettled(connections.map((connection) => heightOf(devnet, connection)));
  return answers.filter(({ status }) => status === 'fulfilled').length;
}

async function threadsOf(devnet: Devnet): Promise<readonly string[]> {
  const text = await (await fetch(new URL('/metrics', devnet.pageUrl))).text();
  return [...text.matchAll(/loop_delay_seconds\{thread="([^"]+)",percentile="50"\}/g)].map(([, name]) => name!).sort();
}

t.test('serves one state over all threads and interfaces', async (t) => {
  t.ok(existsSync(NODE), 'system/clients/prepare.mjs installs the release');
  const devnet = await startTwoThreads(t);
  t.same(await threadsOf(devnet), ['api', 'api-2', 'main']);
  const connections = openConnections(t);
  const [sender, receiver] = devnet.accounts.map(({ address }) => address) as [string, string];

  await t.test('never shows an older block than another thread has shown', async (t) => {
    const read: ((connection: OneConnection) => Promise<number>)[] = [
      (connection) => heightOf(devnet, connection),
      async (connection) => {
        const block = await connection.post<{ block_header: { raw_data: { number: number } } }>(
          devnet.port(8090),
          '/wallet/getnowblock',
          {},
        );
        return block.block_header.raw_data.number;
      },
      async (connection) => {
        const body = { query: '{ block { number } }' };
        const { data } = await connection.post<{ data: { block: { number: number } } }>(
          devnet.port(8080),
          '/graphql',
          body,
        );
        return data.block.number;
      },
    ];
    let newest = 0;
    const older: string[] = [];
    for (let round = 0; round < 6 * CONNECTIONS; round++) {
      const [writer, reader] = [connections[round % CONNECTIONS]!, connections[(7 * round + 1) % CONNECTIONS]!];
      if (round % 3 === 0) newest = Number(await rpc(devnet, writer, 'evm_mine').then(() => heightOf(devnet, writer)));
      const seen = await read[round % read.length]!(reader);
      if (seen < newest) older.push(`round ${round}: ${seen} after ${newest}`);
      newest = Math.max(newest, seen);
    }
    t.same(older, []);
  });

  await t.test('shows a pending transaction over every connection once it is accepted', async (t) => {
    const balance = async (connection: OneConnection): Promise<number> => {
      const body = { address: receiver, visible: true };
      return (await connection.post<{ balance: number }>(devnet.port(8090), '/wallet/getaccount', body)).balance;
    };
    const before = await balance(connections[0]!);
    await sendTransaction(devnet, '/wallet/createtransaction', { to_address: receiver, amount: 5 });
    const balances = await Promise.all(connections.map(balance));
    t.same(new Set(balances), new Set([before + 5]));
    t.ok(sender);
  });

  await t.test('serves a filter over the connections of all threads', async (t) => {
    const id = await rpc<string>(devnet, connections[0]!, 'eth_newBlockFilter');
    const from = await heightOf(devnet, connections[0]!);
    for (const connection of connections) await rpc(devnet, connection, 'evm_mine');
    const until = await heightOf(devnet, connections[0]!);
    const found: string[] = [];
    for (const connection of connections)
      found.push(...(await rpc<string[]>(devnet, connection, 'eth_getFilterChanges', [id])));
    t.equal(new Set(found).size, found.length, 'no block twice');
    t.ok(found.length >= until - from && found.length <= until - from + 1);
    t.equal(await rpc(devnet, connections[5]!, 'eth_uninstallFilter', [id]), true);
    for (const connection of connections)
      await t.rejects(rpc(devnet, connection, 'eth_getFilterChanges', [id]), { message: 'filter not found' });
  });

  await t.test('sends new heads to the subscribers of all threads', async (t) => {
    const heads = connections.map(() => [] as number[]);
    for (const received of heads) {
      const socket = new WebSocketClient(devnet.rpcUrl.replace('http', 'ws'));
      t.teardown(() => socket.terminate());
      await new Promise<void>((resolve) => socket.once('open', resolve));
      socket.on('message', (data) => {
        const { params } = JSON.parse(data.toString()) as { params?: { result: { number: string } } };
        if (params !== undefined) received.push(Number(params.result.number));
      });
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }));
    }
    await until('the first heads', async () => {
      await devnet.rpc('evm_mine');
      return heads.every(({ length }) => length > 0);
    });
    const from = Math.max(...heads.map((received) => received[0]!));
    await devnet.rpc('evm_mine', [{ blocks: 5 }]);
    const last = Number(await devnet.rpc<string>('eth_blockNumber'));
    const wanted = Array.from({ length: last - from + 1 }, (_, at) => from + at);
    await until('all heads', () => heads.every((received) => received.at(-1)! >= last));
    for (const received of heads)
      t.same(
        received.filter((height) => height >= from && height <= last),
        wanted,
      );
  });

  await t.test('counts the traffic of all threads in getstatsinfo', async (t) => {
    const counts = async (connection: OneConnection): Promise<number | undefined> => {
      const path = '/monitor/getstatsinfo';
      const { net } = await connection.get<{ net: { api: { detail: { name: string; qps: { count: number } }[] } } }>(
        devnet.port(8090),
        path,
      );
      return net.api.detail.find(({ name }) => name === '/wallet/getnodeinfo')?.qps.count;
    };
    for (const connection of connections) await connection.post(devnet.port(8090), '/wallet/getnodeinfo', {});
    for (const connection of connections)
      await until('the counts of both threads', async () => (await counts(connection)) === CONNECTIONS);
    t.pass('every connection shows all calls');
  });

  await t.test('limits the connections of all threads together', async (t) => {
    for (const connection of connections) connection.close();
    const open = async (): Promise<Socket> => {
      const socket = connect(devnet.port(8090), '127.0.0.1');
      t.teardown(() => socket.destroy());
      await once(socket, 'connect');
      return socket;
    };
    const busy: Socket[] = [];
    for (let at = 0; at < CONNECTIONS_MAX; at++) {
      const socket = await open();
      // The answer shows that a thread serves the connection. The next request, whose body is incomplete, makes the
      // connection busy.
      socket.write('GET /wallet/getnowblock HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await once(socket, 'data');
      socket.write('POST /wallet/getnowblock HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{');
      busy.push(socket);
    }
    const [client] = openConnections(t, 1);
    let isAnswered = false;
    const answer = client!.post(devnet.port(8090), '/wallet/getnowblock', {}).then(() => {
      isAnswered = true;
    });
    // While these requests run, the queued connection would receive an answer if any thread served it.
    for (let at = 0; at < 50; at++) await devnet.rpc('eth_blockNumber');
    t.equal(isAnswered, false, 'the connection is queued in either thread');
    busy[7]!.destroy();
    await answer;
    for (const socket of busy) socket.destroy();
  });

  await t.test('restarts a thread that ended, and loses only its connections', async (t) => {
    const clients = openConnections(t);
    t.equal(await answered(devnet, clients), CONNECTIONS);
    devnet.signal('SIGUSR2');
    await untilServed('the end of the thread', async () => (await threadsOf(devnet)).length === 2);
    t.equal(await answered(devnet, clients), CONNECTIONS, 'the other thread answers in the meantime');
    const left = clients.filter(({ opened }) => opened === 1).length;
    t.ok(left > 0 && left < CONNECTIONS, `${left} connections were not interrupted`);
    await until('the new thread', () => restarts(devnet) === 1);
    const fresh = openConnections(t);
    t.equal(await answered(devnet, fresh), CONNECTIONS);
    const height = await heightOf(devnet, fresh[0]!);
    await rpc(devnet, fresh[0]!, 'evm_mine');
    for (const connection of fresh) t.ok((await heightOf(devnet, connection)) > height);
  });

  /** Sends a transaction, and waits until each connection finds it in the index. */
  const indexed = async (amount: number): Promise<void> => {
    const sent = await sendTransaction(devnet, '/wallet/createtransaction', { to_address: receiver, amount });
    for (const connection of openConnections(t))
      await until('the transaction in the index', async () => {
        const path = `/v1/accounts/${receiver}/transactions`;
        const { data } = await connection.get<{ data: { txID: string }[] }>(devnet.port(8090), path);
        return data.some(({ txID }) => txID === sent);
      });
  };

  await t.test('restarts the thread with filters and indexes after it ended', async (t) => {
    const clients = openConnections(t);
    t.equal(await answered(devnet, clients), CONNECTIONS);
    const lost = await rpc<string>(devnet, clients[0]!, 'eth_newBlockFilter');
    devnet.signal('SIGUSR2');
    await until('the new thread', () => restarts(devnet) === 2);
    t.equal(await answered(devnet, clients), CONNECTIONS);
    const left = clients.filter(({ opened }) => opened === 1).length;
    t.ok(left > 0 && left < CONNECTIONS, `${left} connections were not interrupted`);
    for (const connection of clients)
      await t.rejects(rpc(devnet, connection, 'eth_getFilterChanges', [lost]), { message: 'filter not found' });
    const id = await rpc<string>(devnet, clients[0]!, 'eth_newBlockFilter');
    await indexed(7);
    t.ok((await rpc<string[]>(devnet, clients[1]!, 'eth_getFilterChanges', [id])).length > 0);
  });

  await t.test('continues to build indexes after both threads ended', async (t) => {
    // The second API thread restarts first. So the thread that only reads the indexes opens their database before the
    // thread that writes them.
    devnet.signal('SIGUSR2');
    await sleep(300);
    devnet.signal('SIGUSR2');
    await until('the new threads', () => restarts(devnet) === 4);
    await indexed(8);
    t.equal(await answered(devnet, openConnections(t)), CONNECTIONS);
  });
});

t.test('limits the rate of an interface over all threads together', async (t) => {
  const limit = `{ component = "GetNowBlockServlet", strategy = "QpsRateLimiterAdapter", paramString = "qps=${QPS}" }`;
  const devnet = await startTwoThreads(t, { rates: `\nrate.limiter.http = [ ${limit} ]\n` });
  const connections = openConnections(t);
  let answers = 0;
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  await Promise.all(
    connections.map(async (connection) => {
      while (elapsed() < RATE_MS) {
        await connection.post(devnet.port(8090), '/wallet/getnowblock', {});
        answers++;
      }
    }),
  );
  // The permits of one idle second are stored, and the last call of each connection may end later.
  const most = QPS * (elapsed() / 1000 + 1) + 1;
  t.ok(answers <= most, `${answers} answers, at most ${Math.ceil(most)}`);
  t.ok(answers > CONNECTIONS, 'both threads received more calls than the limit allows');
});
