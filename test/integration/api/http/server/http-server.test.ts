import { once } from 'node:events';
import { connect } from 'node:net';
import pino from 'pino';
import t, { type Test } from 'tap';
import type { ApiContext } from '../../../../../src/api/context/api-context.js';
import { Dispatcher } from '../../../../../src/api/http/dispatch.js';
import { createHttpServer, type HttpServerOptions } from '../../../../../src/api/http/server/http-server.js';
import { rpcPath } from '../../../../../src/api/jsonrpc/dispatch.js';
import { RememberedIds } from '../../../../../src/api/operations/broadcast.js';
import { apiRelease } from '../../../../../src/api/releases/releases.js';
import { NO_RPC_LIMITS } from '../../../../../src/api/releases/rpc-limits.js';
import type { ServerName } from '../../../../../src/api/servers.js';

interface Overrides extends Partial<Omit<HttpServerOptions, 'log'>> {
  readonly disabled?: readonly string[];
  readonly name?: ServerName;
  readonly bodyBytesMax?: number;
}

/** Returns a server without real handlers. The tested errors occur before a handler runs. */
function server(t: Test, { disabled = [], name = 'fullnode', bodyBytesMax = 100, ...overrides }: Overrides = {}) {
  const api = {
    settings: { release: apiRelease('4.7.2'), addressPrefix: 0x41, bodyBytesMax },
    view: () => ({}),
  } as unknown as ApiContext;
  const { app } = createHttpServer({
    paths: new Dispatcher(name, { api, remembered: new RememberedIds(), startedMs: 0 }, disabled).paths,
    connectionsMax: 0,
    log: pino({ level: 'silent' }),
    ...overrides,
  });
  t.teardown(() => app.close());
  return app;
}

async function listening(t: Test, overrides: Overrides = {}): Promise<number> {
  const app = server(t, overrides);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as { port: number }).port;
}

/** Sends raw bytes. Resolves to the received text when the server closes the connection. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let all = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      all += chunk.toString();
    });
    socket.on('close', () => resolve(all));
    socket.on('error', reject);
  });
}

t.test('refuses unknown paths and unsupported methods with a reason', async (t) => {
  const app = server(t);
  const query = async (method: string, url: string): Promise<readonly [number, string | undefined, string]> => {
    const { statusCode, headers, body } = await app.inject({ method: method as 'GET', url });
    return [statusCode, headers.allow as string | undefined, body];
  };
  for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
    t.same(await query(method, '/wallet/nothing?a=b'), [404, undefined, '{"Error":"no such path: /wallet/nothing"}\n']);
  const allow = 'GET, HEAD, POST, OPTIONS';
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    t.same(await query(method, '/wallet/createtransaction'), [
      405,
      allow,
      `{"Error":"method ${method} is not supported by this path"}\n`,
    ]);
  t.same((await query('GET', '/wallet/broadcasthex')).slice(0, 2), [405, 'POST, OPTIONS']);
  t.same(await query('OPTIONS', '/wallet/createtransaction'), [200, allow, '']);
  t.same(await query('HEAD', '/wallet/nothing'), [404, undefined, '']);
});

t.test('refuses malformed targets and paths above the root', async (t) => {
  const app = server(t);
  for (const url of ['/wallet/x%', '/wallet/%zz'])
    t.match(await app.inject({ url }), { statusCode: 400, body: '{"Error":"invalid path"}\n' }, url);
  const port = await listening(t);
  for (const target of ['/../wallet/getnowblock', '/wallet/getnowblock%00', '*', '/wallet/..;/getnowblock']) {
    const reply = await exchange(port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    t.match(reply, /^HTTP\/1\.1 400 .*\r\n\r\n\{"Error":"[^"]+"\}\n$/s, target);
  }
});

t.test('answers a path with dot segments, escapes or path parameters', async (t) => {
  const app = server(t);
  for (const path of ['/wallet/./validateaddress', '/wallet/validate%61ddress', '/a/../wallet;p/validateaddress;b'])
    t.match((await app.inject({ url: `${path}?address=x` })).body, '"result":false', path);
});

const HOST = 'HTTP/1.1\r\nHost: a';
/** Malformed HTTP requests with the expected status. */
const MALFORMED: readonly (readonly [head: string, status: number])[] = [
  ['garbage', 400],
  [`get /a ${HOST}`, 400],
  ['GET /a HTTP/1.1', 400],
  ['GET /a HTTP/9.9\r\nHost: a', 400],
  [`GET /a ${HOST}\r\nb(: c`, 400],
  [`POST /a ${HOST}\r\nContent-Length: b`, 400],
  [`POST /a ${HOST}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked`, 400],
  [`GET /a ${HOST}\r\nb: ${'c'.repeat(20_000)}`, 431],
  [`GET /a ${HOST}\r\nConnection: close\r\nExpect: b`, 417],
];

t.test('refuses malformed requests and closes the connection', async (t) => {
  const port = await listening(t);
  for (const [head, status] of MALFORMED) {
    const reply = await exchange(port, `${head}\r\n\r\n`);
    t.match(reply, new RegExp(`^HTTP/1\\.1 ${status} `), head.slice(0, 60));
    t.match(reply, /^Connection: close\r$/im, head.slice(0, 60));
  }
});

t.test('refuses malformed bytes after the answers to earlier requests', async (t) => {
  const port = await listening(t);
  const good = 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n';
  for (const count of [1, 3]) {
    const reply = await exchange(port, `${good.repeat(count)}garbage\r\n\r\n`);
    t.equal(reply.split('HTTP/1.1 404 Not Found').length, count + 1);
    t.match(reply, /no such path: \/a"\}\nHTTP\/1\.1 400 Bad Request\r\n.*"Error":"bad request"/s);
  }
  const head = 'POST /wallet/validateaddress HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  const chunked = await exchange(port, `${good}${head}zz\r\n`);
  t.match(chunked, /^HTTP\/1\.1 404 .*HTTP\/1\.1 400 /s, 'a request with an invalid body gets one response only');
  t.notMatch(chunked, /HTTP\/1\.1 200/);
});

t.test('reports the length of the GET response for HEAD', async (t) => {
  const app = server(t, { disabled: ['getnowblock'] });
  const reply = await app.inject({ url: '/wallet/getnowblock', method: 'HEAD' });
  t.same([reply.statusCode, reply.body, reply.headers['content-length']], [404, '', '50']);
});

t.test('sends status 100 to a client that waits for it before it sends the body', async (t) => {
  const port = await listening(t);
  const head = 'POST /wallet/validateaddress HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
  const reply = await exchange(port, `${head}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`);
  t.match(reply, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
});

t.test('keeps a disabled API closed for every spelling of its path', async (t) => {
  const app = server(t, { disabled: ['validateaddress'] });
  const spellings = [
    '/wallet/validateaddress',
    '/wallet/./validateaddress',
    '/a/../wallet/validateaddress',
    '/wallet/validate%61ddress',
    '/wallet%2fvalidateaddress',
    '/wallet/validateaddress;p=1',
    '/wallet;p/validateaddress',
  ];
  for (const url of spellings) {
    for (const method of ['GET', 'POST'] as const) {
      const reply = await app.inject({ url, method });
      t.equal(reply.statusCode, 404, `${method} ${url}`);
      t.equal(reply.body, '{"Error":"this API is unavailable due to config"}\n', `${method} ${url}`);
    }
  }
});

t.test('reports a disabled API only for the exact paths of its own server', async (t) => {
  const disabled = ['getnowblock', 'getnodeinfo', ''];
  const apps = { fullnode: server(t, { disabled }), solidity: server(t, { disabled, name: 'solidity' }) };
  const statusOf = async (name: keyof typeof apps, url: string) =>
    (await apps[name].inject({ url })).body.includes('unavailable due to config');
  for (const url of ['/wallet/getnowblock', '/monitor/getnodeinfo']) t.ok(await statusOf('fullnode', url), url);
  t.ok(await statusOf('solidity', '/walletsolidity/getnowblock'));
  for (const url of ['/walletsolidity/getnowblock', '//wallet/getnowblock', '/WALLET/getnowblock', '/', '/wallet/'])
    t.notOk(await statusOf('fullnode', url), url);
  for (const url of ['/wallet/getnowblock', '/monitor/getnodeinfo']) t.notOk(await statusOf('solidity', url), url);
});

t.test(
  'answers a body above the release limit with an error text, and above maxMessageSize with status 413',
  async (t) => {
    const payload = JSON.stringify({ address: 'x'.repeat(200) });
    const plain = await server(t).inject({ url: '/wallet/createtransaction', method: 'POST', payload });
    t.equal(plain.body, '{"Error":"class java.lang.Exception : body size is too big, the limit is 100"}\n');
    const strict = server(t, { messageBytesMax: 50 });
    const url = '/wallet/createtransaction';
    const refused = await strict.inject({ url, method: 'POST', payload });
    t.same([refused.statusCode, refused.body], [413, '{"Error":"body size is too big, the limit is 50"}\n']);
    t.equal((await strict.inject({ url: '/wallet/validateaddress', method: 'POST', payload: '{}' })).statusCode, 200);
    const port = await listening(t, { messageBytesMax: 50 });
    const head = 'POST /wallet/getaccount HTTP/1.1\r\nHost: x\r\n';
    t.match(
      await exchange(port, `${head}Content-Length: 51\r\n\r\n`),
      /^HTTP\/1\.1 413 /,
      'rejected by Content-Length, before the body is sent',
    );
    t.match(
      await exchange(port, `${head}Transfer-Encoding: chunked\r\n\r\n40\r\n${'x'.repeat(64)}\r\n40\r\n`),
      /^HTTP\/1\.1 413 .*connection: close/s,
      'rejected without Content-Length',
    );
  },
);

t.test('rejects a body with too many elements before reading it', async (t) => {
  const app = server(t);
  const payload = `[${'0,'.repeat(100_001)}0]`;
  const largeLimit = server(t, { bodyBytesMax: 4_194_304 });
  const url = '/wallet/createtransaction';
  const reply = await largeLimit.inject({ url, method: 'POST', payload });
  t.equal(reply.body, '{"Error":"class java.lang.Exception : body has too many elements, the limit is 100000"}\n');
  t.match(
    (await app.inject({ url, method: 'POST', payload })).body,
    'body size is too big',
    'the size limit is checked before the number of elements',
  );
});

t.test('queues connections above the limit', async (t) => {
  const port = await listening(t, { connectionsMax: 1 });
  const first = connect(port, '127.0.0.1');
  await new Promise((resolve) => first.once('connect', resolve));
  const second = exchange(port, 'OPTIONS /wallet/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const early = await Promise.race([second, new Promise((resolve) => setTimeout(resolve, 100, 'waits'))]);
  t.equal(early, 'waits');
  first.destroy();
  t.match(await second, /^HTTP\/1\.1 404 /);
});

t.test('closes a silent connection without a response', async (t) => {
  const port = await listening(t, { idleTimeoutMs: 200 });
  t.equal(await exchange(port, ''), '');
});

t.test('answers a request that does not arrive in time with status 408', async (t) => {
  const port = await listening(t, { idleTimeoutMs: 200 });
  const head = 'POST /wallet/getblockbynum HTTP/1.1\r\nHost: x\r\n';
  for (const rest of ['Content-Length: 100\r\n\r\n{"num"', 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"'])
    t.match(await exchange(port, `${head}${rest}`), /^HTTP\/1\.1 408 .*connection: close.*request timeout/is);
});

// Observed on both releases of java-tron on 2026-11-26: the connection was closed after 30.0 s.
t.test('closes a connection when no request follows a response within the idle timeout', async (t) => {
  const port = await listening(t, { idleTimeoutMs: 1_300 });
  const kept = connect(port, '127.0.0.1');
  kept.write('GET /a HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(kept, 'data');
  const answered = performance.now();
  kept.resume();
  await once(kept, 'end');
  const ms = performance.now() - answered;
  t.ok(ms > 1_100 && ms < 20_000, `${ms} ms`);
});

t.test('refuses a JSON-RPC request without a body as invalid JSON', async (t) => {
  const form = { release: apiRelease('4.7.2'), rpcLimits: NO_RPC_LIMITS };
  const app = server(t, { paths: [rpcPath({ methods: new Map(), component: 'A', form })] });
  const reply = await app.inject({ url: '/jsonrpc', method: 'POST' });
  t.same([reply.statusCode, reply.headers['content-type']], [200, 'application/json-rpc']);
  t.match(reply.body, 'JSON parse error');
  t.same((await app.inject('/jsonrpc')).headers['allow'], 'POST, OPTIONS');
});

t.test('rejects a transaction in hex with too many fields', async (t) => {
  const app = server(t, { bodyBytesMax: 4_194_304 });
  // Fields with number 3 and length 0, which the schema does not have.
  const transaction = '1a00'.repeat(50_001);
  const reply = await app.inject({ url: '/wallet/broadcasthex', method: 'POST', payload: { transaction } });
  t.match(reply.body, 'message has too many fields, the limit is 50000');
});
