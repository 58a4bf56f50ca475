import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Client, credentials } from '@grpc/grpc-js';
import t from 'tap';
import { TronWeb } from 'tronweb';
import type { Teardown } from '../../support/devnet.js';
import { freePorts } from '../../support/free-port.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { runTronicle, startTronicle } from '../../support/tronicle.js';
import { untilServed } from '../../support/until.js';

// Tests the start of `tronicle devnet`: addresses, ports, and the network that it creates.

/** Number of ports that `--port-base` sets. The port of Prometheus is not included, because it is disabled. */
const PORTS = 12;
/** Another loopback address, which Linux provides. A listener on 127.0.0.1 does not accept connections to it. */
const OTHER_ADDRESS = '127.0.0.2';

/** Starts a network and waits for its first block. @returns function that returns the output so far */
async function start(t: Teardown, base: number, ...args: readonly string[]): Promise<() => string> {
  const data = join(temporaryFolder(t), 'devnet');
  const child = startTronicle(['devnet', '--data', data, '--port-base', String(base), ...args]);
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr?.pipe(process.stderr);
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await untilServed('blocks', async () => Number(await rpc(base + 3, 'eth_blockNumber')) > 2);
  return () => output;
}

async function rpc(port: number, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const reply = await fetch(`http://127.0.0.1:${port}/jsonrpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await reply.json()) as { result: unknown }).result;
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** Sends a request with headers that `fetch` does not allow. */
function send(
  port: number,
  { body, ...options }: Sent,
): Promise<{ readonly status: number | undefined; readonly headers: IncomingHttpHeaders; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, agent: false, ...options });
    sent.on('error', reject);
    sent.on('upgrade', ({ statusCode: status, headers }, socket) => {
      socket.destroy();
      resolve({ status, headers, body: '' });
    });
    sent.on('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() });
    });
    sent.end(body);
  });
}

/** Returns true if a program accepts connections. */
function isOpen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    const end = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}

/** Returns those ports that accept connections, as offsets from `base`. */
async function openPorts(base: number, host: string): Promise<number[]> {
  const offsets = Array.from({ length: PORTS }, (_, offset) => offset);
  const open = await Promise.all(offsets.map((offset) => isOpen(base + offset, host)));
  return offsets.filter((offset) => open[offset]);
}

t.test('accepts connections of this machine only', async (t) => {
  const base = await freePorts(PORTS + 1);
  const output = await start(t, base);

  await t.test('listens only on the loopback address', async (t) => {
    await untilServed('all ports', async () => (await openPorts(base, '127.0.0.1')).length === PORTS);
    t.same(await openPorts(base, OTHER_ADDRESS), []);
    t.match(output(), `http://localhost:${base}/wallet`);
    t.match(output(), `http://localhost:${base + 9}`);
    t.match(output(), /at 127\.0\.0\.1, this machine only/);
  });

  await t.test('is healthy and ready', async (t) => {
    for (const path of ['/healthz', '/readyz']) {
      const { status, body } = await send(base + 9, { method: 'GET', path, headers: {} });
      t.equal(status, 200, `${path}: ${body}`);
    }
    const client = new Client(`127.0.0.1:${base + 6}`, credentials.createInsecure());
    t.teardown(() => client.close());
    const reply = await new Promise((resolve, reject) => {
      const check = '/grpc.health.v1.Health/Check';
      client.makeUnaryRequest(check, Buffer.from, Buffer.from, Buffer.alloc(0), (error, bytes) =>
        error === null ? resolve(bytes) : reject(error),
      );
    });
    t.same(reply, Buffer.from([8, 1]), 'SERVING');
  });

  await t.test('rejects JSON-RPC calls of foreign pages that change the network', async (t) => {
    const mine = '{"jsonrpc":"2.0","id":1,"method":"evm_increaseTime","params":[0]}';
    const error = async (headers: Record<string, string>): Promise<string | undefined> => {
      const { body } = await send(base + 3, { method: 'POST', path: '/jsonrpc', headers, body: mine });
      return (JSON.parse(body) as { error?: { message: string } }).error?.message;
    };
    const json = { 'content-type': 'application/json' };
    const host = `localhost:${base + 3}`;
    t.equal(await error({ ...json, host }), undefined);
    t.equal(await error({ ...json, host, origin: 'http://localhost:3000' }), undefined);
    t.match(await error({ host, 'content-type': 'text/plain' }), /content-type: application\/json/);
    t.match(await error({ host }), /content-type: application\/json/);
    t.match(await error({ ...json, host, origin: 'https://evil.example' }), /pages of https:\/\/evil\.example/);
    t.match(await error({ ...json, host, origin: 'null' }), /pages of null/);
    t.match(await error({ ...json, host: `evil.example:${base + 3}` }), /not a name of this node/);
    const read = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}';
    const plain = { host, 'content-type': 'text/plain' };
    const { body } = await send(base + 3, { method: 'POST', path: '/jsonrpc', headers: plain, body: read });
    t.match(body, '"result":"0x', 'java-tron answers any content type');
  });

  await t.test('rejects WebSockets that pages of other hosts open', async (t) => {
    for (const [port, path, protocol] of [
      [base + 3, '/jsonrpc', undefined],
      [base + 9, '/graphql', 'graphql-transport-ws'],
    ] as const) {
      const status = async (origin: string | undefined): Promise<number | undefined> => {
        const headers = {
          connection: 'upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
          ...(protocol && { 'sec-websocket-protocol': protocol }),
          ...(origin && { origin }),
        };
        return (await send(port, { method: 'GET', path, headers })).status;
      };
      t.equal(await status(undefined), 101, path);
      t.equal(await status('http://localhost:3000'), 101, path);
      t.equal(await status('https://evil.example'), 403, path);
    }
  });

  await t.test('checks the Host header on the status page, and on the admin server before the token', async (t) => {
    const get = (port: number, path: string, host: string) => send(port, { method: 'GET', path, headers: { host } });
    for (const path of ['/', '/graphiql', '/graphql?query=%7Bstatus%7BheadNumber%7D%7D']) {
      t.equal((await get(base + 9, path, `localhost:${base + 9}`)).status, 200, path);
      t.equal((await get(base + 9, path, 'evil.example')).status, 403, path);
    }
    t.equal((await get(base + 10, '/sinks', 'localhost')).status, 401);
    t.equal((await get(base + 10, '/sinks', 'evil.example')).status, 403);
  });

  await t.test('accepts requests of web pages on this machine at every HTTP interface', async (t) => {
    const origin = 'http://localhost:3000';
    const headers = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
    for (const [port, path] of [
      [base, '/wallet/getnowblock'],
      [base, '/v1/blocks/latest/events'],
      [base + 1, '/walletsolidity/getnowblock'],
      [base + 3, '/jsonrpc'],
      [base + 9, '/graphql'],
    ] as const) {
      const preflight = await send(port, { method: 'OPTIONS', path, headers: { origin, ...headers } });
      t.equal(preflight.status, 204, path);
      t.match(preflight.headers, {
        'access-control-allow-origin': origin,
        'access-control-allow-headers': 'content-type',
        'access-control-allow-methods': /POST/,
      });
      const answer = await send(port, { method: 'GET', path, headers: { origin } });
      t.equal(answer.headers['access-control-allow-origin'], origin, path);
      const foreign = await send(port, { method: 'GET', path, headers: { origin: 'https://evil.example' } });
      t.equal(foreign.headers['access-control-allow-origin'], undefined, path);
    }
  });

  await t.test('serves all HTTP interfaces on one port, like TronGrid', async (t) => {
    const call = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}';
    for (const path of ['/jsonrpc', '/']) {
      const { body } = await send(base, {
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json' },
        body: call,
      });
      t.match(body, '"result":"0x', path);
    }
    t.equal((await send(base, { method: 'GET', path: '/', headers: {} })).status, 405, 'JSON-RPC takes POST only');
    const path = '/walletsolidity/getnowblock';
    const [one, own] = [
      await send(base, { method: 'GET', path, headers: {} }),
      await send(base + 1, { method: 'GET', path, headers: {} }),
    ];
    t.equal(one.status, 200);
    t.match(JSON.parse(one.body), { block_header: { raw_data: {} } });
    t.same(Object.keys(JSON.parse(one.body)).sort(), Object.keys(JSON.parse(own.body)).sort());
  });

  await t.test('lists the funded accounts for Ethereum tools and TronBox', async (t) => {
    const get = (host: string) => send(base, { method: 'GET', path: '/admin/accounts-json', headers: { host } });
    const { privateKeys } = JSON.parse((await get(`127.0.0.1:${base}`)).body) as { privateKeys: readonly string[] };
    const printed = [...output().matchAll(/^ {2}T\w{33} {2}([0-9a-f]{64})$/gm)].map(([, key]) => key);
    t.same(privateKeys, printed);
    t.equal((await get('evil.example')).status, 403);
    const addresses = privateKeys.map((key) => TronWeb.address.toHex(TronWeb.address.fromPrivateKey(key) || ''));
    t.same(
      await rpc(base + 3, 'eth_accounts'),
      addresses.map((address) => `0x${address.slice(2)}`),
    );
    t.equal(await rpc(base + 3, 'eth_chainId'), '0x539');
    t.equal(await rpc(base + 3, 'net_version'), '1337');
  });

  await t.test('accepts 400 simultaneous transactions that TronWeb sends from one account', async (t) => {
    const { privateKeys } = JSON.parse(
      (await send(base, { method: 'GET', path: '/admin/accounts-json', headers: {} })).body,
    ) as {
      privateKeys: readonly [string, string];
    };
    const web = new TronWeb({ fullHost: `http://127.0.0.1:${base}`, privateKey: privateKeys[0] });
    t.match(await web.isConnected(), { fullNode: true, solidityNode: true });
    const to = TronWeb.address.fromPrivateKey(privateKeys[1]) || '';
    const sent = await Promise.all(
      Array.from({ length: 400 }, async (_, at) => {
        const built = await web.transactionBuilder.sendTrx(to, at + 1);
        return web.trx.sendRawTransaction(await web.trx.sign(built));
      }),
    );
    t.equal(sent.filter(({ result }) => result === true).length, 400);
    const last = sent.at(-1)!.transaction.txID;
    await untilServed(
      'the receipt of the last one',
      async () => 'blockNumber' in (await web.trx.getTransactionInfo(last)),
    );
    t.match(await web.event.getEventsOfLatestBlock(), { success: true });
  });
});

t.test('listens on every address with --host 0.0.0.0, except the admin server', async (t) => {
  const base = await freePorts(PORTS + 1);
  await start(t, base, '--host', '0.0.0.0');
  await untilServed('all ports', async () => (await openPorts(base, OTHER_ADDRESS)).length === PORTS - 1);
  t.notOk((await openPorts(base, OTHER_ADDRESS)).includes(10));
});

t.test('exits with a one-line error if the listen address belongs to another machine', async (t) => {
  const data = join(temporaryFolder(t), 'devnet');
  // 192.0.2.0/24 is reserved for documentation.
  const { code, stderr } = await runTronicle(['devnet', '--data', data, '--host', '192.0.2.77']);
  t.equal(code, 1);
  t.equal(
    stderr,
    '192.0.2.77 is not an address of this machine: set --host to an address of this machine, or to 0.0.0.0\n',
  );
  t.notOk(existsSync(data));
});

t.test('exits with a one-line error if a port is in use, before it creates the network', async (t) => {
  const base = await freePorts(PORTS + 1);
  const port = base + 3;
  const occupied = createServer().listen(port, '127.0.0.1');
  await once(occupied, 'listening');
  t.teardown(() => occupied.close());
  const data = join(temporaryFolder(t), 'devnet');
  const { code, stdout, stderr } = await runTronicle(['devnet', '--data', data, '--port-base', String(base)]);
  t.equal(code, 1);
  t.equal(stdout, '');
  t.equal(stderr.trim().split('\n').length, 1);
  t.match(stderr, `port ${port} for JSON-RPC (node.jsonrpc.httpFullNodePort) is in use by process ${process.pid} (`);
  t.match(stderr, '--port-base');
  t.notOk(existsSync(data));
});
