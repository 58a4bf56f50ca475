import { once } from 'node:events';
import { connect } from 'node:net';
import pino from 'pino';
import t, { type Test } from 'tap';
import type { ApiContext } from '../../../../../src/api/context/api-context.js';
import { Dispatcher } from '../../../../../src/api/http/dispatch.js';
import { createHttpServer, type HttpServerOptions } from '../../../../../src/api/http/server/http-server.js';
import { RpcDispatcher } from '../../../../../src/api/jsonrpc/dispatch.js';
import { RememberedIds } from '../../../../../src/api/operations/broadcast.js';
import { apiRelease } from '../../../../../src/api/releases/releases.js';
import { NO_RPC_LIMITS } from '../../../../../src/api/releases/rpc-limits.js';
import type { ServerName } from '../../../../../src/api/servers.js';

interface Overrides extends Partial<Omit<HttpServerOptions, 'log'>> {
  readonly disabled?: readonly string[];
  readonly name?: ServerName;
  readonly bodyBytesMax?: number;
}

/** A server whose handlers have nothing but settings: enough for what is decided before them. */
function server(t: Test, { disabled = [], name = 'fullnode', bodyBytesMax = 100, ...overrides }: Overrides = {}) {
  const api = {
    settings: { release: apiRelease('4.7.2'), addressPrefix: 0x41, bodyBytesMax },
    view: () => ({}),
  } as unknown as ApiContext;
  const app = createHttpServer({
    jetty: apiRelease('4.7.2').jetty,
    dispatcher: new Dispatcher(name, { api, remembered: new RememberedIds(), startedMs: 0 }, disabled),
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

/** Sends bytes as they are, and answers what came until the peer closed. */
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

t.test('answers methods that Node handles itself like java-tron', async (t) => {
  const port = await listening(t);
  for (const line of ['get /wallet/getnowblock', 'FOO /wallet/getnowblock', 'CONNECT /x', 'LINK /x', 'PATCH /x']) {
    const reply = await exchange(port, `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    t.match(reply, /^HTTP\/1\.1 501 /, line);
  }
  t.match(await exchange(port, 'PUT /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 405 /);
  const trace = await exchange(port, 'TRACE /wallet/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  t.match(trace, /content-type: message\/http[\s\S]*TRACE \/wallet\/x HTTP\/1\.1\r\nConnection: close\r\nHost: x\r\n/i);
});

t.test('rejects an unknown method as a bad request for an older HTTP version', async (t) => {
  const port = await listening(t);
  for (const line of ['PUT /a', 'DELETE /a', 'POST /a'])
    t.match(await exchange(port, `${line} HTTP/1.0\r\n\r\n`), /^HTTP\/1\.1 400 Bad Request\r\n/, line);
  const page = await exchange(port, 'POST /a HTTP/1.0\r\n\r\n');
  t.match(page, '<title>Error 400 HTTP method POST is not supported by this URL</title>');
});

t.test(
  'rejects paths above the root and malformed escapes, and returns the error page of the method for unknown paths',
  async (t) => {
    const app = server(t);
    for (const url of ['/wallet/x%', '/wallet/x%00']) {
      for (const method of ['GET', 'PUT', 'PATCH'] as const)
        t.equal((await app.inject({ url, method })).statusCode, 400, `${method} ${url}`);
    }
    const above = 'GET /../wallet/getnowblock HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    t.match(await exchange(await listening(t), above), /^HTTP\/1\.1 400 /);
    t.equal((await app.inject({ url: '/wallet/nothing' })).statusCode, 404);
    t.equal((await app.inject({ url: '/wallet/nothing', method: 'POST', payload: '{}' })).statusCode, 405);
    const options = await app.inject({ url: '/wallet/createtransaction', method: 'OPTIONS' });
    t.equal(options.headers.allow, 'GET, HEAD, POST, TRACE, OPTIONS');
  },
);

/** As java-tron 4.7.2 answered each. */
const REFUSED: readonly (readonly [head: string, status: number, reason: string])[] = [
  ['GET ?a HTTP/1.1\r\nHost: a', 400, 'Bad URI'],
  ['GET /a\x01 HTTP/1.1\r\nHost: a', 400, 'Illegal character CNTL=0x1'],
  ['GET\t/a HTTP/1.1\r\nHost: a', 400, 'Illegal character HTAB=0x9'],
  ['GET /a HTTP/1.2\r\nHost: a', 505, 'Unknown Version'],
  ['GET /a HTTP/1.1 \r\nHost: a', 400, "Illegal character SPACE=' '"],
  ['GET /a HTTP/2.0\r\nHost: a', 426, 'Upgrade Required'],
  ['GET /a HTTP/0.9\r\nHost: a', 505, 'Unsupported Version'],
  ['GET /a \r\nHost: a', 400, 'HTTP/0.9 not supported'],
  ['GET /a HTTP/1.1', 400, 'No Host'],
  ['GET /a HTTP/1.1\r\nHost: a:b', 400, 'Bad HostPort'],
  ['GET /a HTTP/1.1\r\nHost: [::1', 400, 'Bad HostPort'],
  ['GET /a HTTP/1.1\r\nHost: a\r\nExpect: b', 417, 'Expectation Failed'],
  ['GET /a HTTP/1.1\r\nHost: a\r\nUpgrade: b', 400, 'Bad Request'],
  ['GET /a HTTP/1.1\r\nHost: a\r\nb', 400, 'Illegal character LF=\\n'],
  ['GET /a HTTP/1.1\r\nHost: a\r\nb(: c', 400, "Illegal character VCHAR='('"],
  ['GET /a HTTP/1.1\r\nHost: a\r\nb: c\r\n d', 400, 'Header Folding'],
  ['GET /a HTTP/1.1\r\nHost: a\r\nb: c\x7f', 400, 'Illegal character CNTL=0x7f'],
  ['GET /a HTTP/1.1\r\nHost: a\r\nb: c\rd', 400, 'Bad EOL'],
  ['garbage', 400, 'No URI'],
  ['PRI * HTTP/2.0\r\n\r\nSM', 426, 'Upgrade Required'],
  [`${'a'.repeat(9000)} / HTTP/1.1`, 431, 'Request Header Fields Too Large'],
  ['POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:', ...([400, 'Bad Transfer-Encoding, chunked not last'] as const)],
  ['POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: b', 400, 'Invalid Content-Length Value'],
  ['POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 2', 400, 'Multiple Content-Lengths'],
  [
    'POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked',
    ...([400, 'Transfer-Encoding and Content-Length'] as const),
  ],
  [
    'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip',
    ...([400, 'Bad Transfer-Encoding, chunked not last'] as const),
  ],
  [
    'GET /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip',
    ...([400, 'Bad Transfer-Encoding, chunked not last'] as const),
  ],
  [`GET /${'a'.repeat(8192)} HTTP/1.1\r\nHost: a`, 414, 'URI Too Long'],
  [`GET /a HTTP/1.1\r\nHost: a\r\nb: ${'c'.repeat(8192)}`, 431, 'Request Header Fields Too Large'],
];

t.test('answers a malformed request with the reason and closes the connection', async (t) => {
  const port = await listening(t);
  for (const [head, status, reason] of REFUSED) {
    const reply = await exchange(port, `${head}\r\n\r\n`);
    t.ok(reply.startsWith(`HTTP/1.1 ${status} ${reason}\r\n`), head.slice(0, 60));
    t.match(reply, `<h1>Bad Message ${status}</h1><pre>reason: ${reason}</pre>`, head.slice(0, 60));
  }
});

/** As java-tron 4.7.2 said of its connections, in answers to each. */
const CONNECTIONS: readonly (readonly [version: string, asked: string | undefined, said: string | undefined])[] = [
  ['1.1', 'close', 'close'],
  ['1.0', undefined, undefined],
  ['1.0', 'close', undefined],
];

t.test('adds the server name, and connection headers only if not implied', async (t) => {
  const port = await listening(t);
  for (const [version, asked, said] of CONNECTIONS) {
    const header = asked === undefined ? '' : `Connection: ${asked}\r\n`;
    const reply = await exchange(port, `GET /a HTTP/${version}\r\nHost: a\r\n${header}\r\n`);
    t.match(reply, /server: Jetty\(9\.4\.49\.v20220914\)\r\n/i, version);
    t.match(reply, /cache-control: must-revalidate,no-cache,no-store\r\n/i, version);
    t.equal(/^connection: (.*)\r$/im.exec(reply)?.[1], said, version);
  }
  const kept = connect(port, '127.0.0.1');
  kept.write('GET /a HTTP/1.1\r\nHost: a\r\n\r\n');
  const first = String(await new Promise<Buffer>((resolve) => kept.once('data', resolve)));
  t.notMatch(first, /^(connection|keep-alive):/im);
  kept.write('GET /a HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n');
  t.match(String(await new Promise<Buffer>((resolve) => kept.once('data', resolve))), /^connection: keep-alive\r$/im);
  kept.destroy();
});

t.test('reports the length of the GET response for HEAD', async (t) => {
  const app = server(t, { disabled: ['a'] });
  const reply = await app.inject({ url: '/wallet/a', method: 'HEAD' });
  t.same([reply.body, reply.headers['content-length']], ['', '50']);
});

t.test('sends the response regardless of data after the request', async (t) => {
  const port = await listening(t);
  const closing = await exchange(
    port,
    'GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nGET /a HTTP/1.1\r\n\r\n',
  );
  t.match(closing, /^HTTP\/1\.1 404 Not Found/);
  t.notMatch(closing, /HTTP\/1\.1 400/);
  t.match(await exchange(port, 'PUT /a HTTP/1.0\r\n\r\n{"a":1}'), /^HTTP\/1\.1 400 /, 'a body without a length');
  const refused = 'PUT /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n';
  const three = await exchange(port, `GET /a HTTP/1.1\r\nHost: x\r\n\r\n${refused}{}`);
  t.match(
    three,
    /^HTTP\/1\.1 404 Not Found[\s\S]*<\/html>\nHTTP\/1\.1 400 Bad Transfer-Encoding, chunked not last\r\n/,
  );
  const askedThrice = await exchange(
    port,
    `${'GET /a HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2)}${refused.replace('PUT', 'GET')}`,
  );
  t.equal(askedThrice.split('HTTP/1.1 404 Not Found').length, 3, 'what is refused is not answered besides');
  t.match(askedThrice, /<\/html>\nHTTP\/1\.1 400 Bad Transfer-Encoding, chunked not last\r\n/);
  const two = await exchange(port, 'GET /a HTTP/1.1\r\nHost: x\r\n\r\ngarbage\r\n\r\n');
  t.match(two, /^HTTP\/1\.1 404 Not Found[\s\S]*<\/html>\nHTTP\/1\.1 400 No URI\r\n/);
});

t.test('waits for a body only if the handler reads it', async (t) => {
  const port = await listening(t);
  const ask = (line: string, length: number): Promise<string> =>
    exchange(port, `${line} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`);
  t.match(await ask('POST /nothing', 5), /^HTTP\/1\.1 405 [\s\S]*connection: close/i);
  t.match(await ask('GET /nothing', 0), /^HTTP\/1\.1 404 [\s\S]*connection: close/i);
  const socket = connect(port, '127.0.0.1');
  socket.write('POST /wallet/validateaddress HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n');
  const told = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
  t.equal(told.toString(), 'HTTP/1.1 100 Continue\r\n\r\n');
  socket.destroy();
  const head = 'POST /wallet/validateaddress HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n';
  t.match(await exchange(port, `${head}{}`), /^HTTP\/1\.1 200 /, 'nobody waits whose body is there');
  t.match(await exchange(port, head.replace(': 2', ': 0')), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
});

const NAME = 'org.eclipse.jetty.servlet.ServletHandler$Default404Servlet-1';
const AS_JSON = `{\n"servlet":"${NAME}",\n"message":"Not Found",\n"url":"/a&apos;",\n"status":"404"\n}`;
const AS_TEXT = `HTTP ERROR 404 Not Found\nURI: /a'\nSTATUS: 404\nMESSAGE: Not Found\nSERVLET: ${NAME}\n`;

/** As java-tron 4.7.2 answered each. */
const FORMS: readonly (readonly [accept: string, type: string | undefined, body: string | RegExp])[] = [
  ['application/json, text/plain, */*', 'application/json', AS_JSON],
  ['text/json', 'text/json', AS_JSON],
  ['text/plain', 'text/plain;charset=iso-8859-1', AS_TEXT],
  ['text/plain;q=0.5, application/json', 'application/json', AS_JSON],
  ['*/*, text/plain', 'text/plain;charset=iso-8859-1', AS_TEXT],
  ['image/png, */*;q=0.5', 'text/html;charset=iso-8859-1', /charset=ISO-8859-1/],
  ['application/xml', undefined, ''],
  ['text/html;q=0', undefined, ''],
];

t.test('returns the error page of an unknown path in the preferred format of the client', async (t) => {
  const app = server(t);
  for (const [accept, type, body] of FORMS) {
    const reply = await app.inject({ url: "/a'", headers: { accept } });
    t.equal(reply.headers['content-type'], type, accept);
    t.match(reply.body, body, accept);
  }
  const headers = { accept: 'text/html', 'accept-charset': 'utf-8' };
  const page = await app.inject({ url: '/a', headers });
  t.equal(page.headers['content-type'], 'text/html;charset=utf-8');
  t.match(page.body, 'charset=UTF-8"');
  const none = await app.inject({ url: '/a', headers: { ...headers, 'accept-charset': 'nothing' } });
  t.same([none.statusCode, none.body], [404, '']);
});

t.test('answers only OPTIONS for the server itself', async (t) => {
  const port = await listening(t);
  const ask = (method: string): Promise<string> =>
    exchange(port, `${method} * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  t.match(await ask('OPTIONS'), /^HTTP\/1\.1 200 [\s\S]*allow: GET, HEAD, TRACE, OPTIONS\r\n/);
  t.match(await ask('GET'), /^HTTP\/1\.1 400 [\s\S]*<td>\*<\/td>/);
  t.match(await ask('PATCH'), /^HTTP\/1\.1 400 [\s\S]*content-length: 0\r\n/);
});

t.test('escapes the path in the error page', async (t) => {
  const reply = await exchange(await listening(t), "GET /a'<>&? HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  t.match(reply, '<td>/a&apos;&lt;&gt;&amp;</td>');
});

t.test('redirects the context of the PBFT server to the requested host', async (t) => {
  const app = server(t, { name: 'pbft' });
  const ask = async (url: string, host: string) => (await app.inject({ url, headers: { host } })).headers.location;
  t.equal(await ask('/walletpbft', 'a:80'), 'http://a/walletpbft/');
  t.equal(await ask('/walletpbft?b=c', 'a:8090'), 'http://a:8090/walletpbft/?b=c');
});

t.test('keeps a disabled API closed for every spelling of its path', async (t) => {
  const app = server(t, { disabled: ['validateaddress'] });
  const spellings = [
    '/wallet/validateaddress',
    '/wallet/./validateaddress',
    '/a/../wallet/validateaddress',
    '/wallet/VALIDATEADDRESS',
    '/wallet//validateaddress',
    '/wallet/validate%61ddress',
    '/wallet%2fvalidateaddress',
    '/wallet/validateaddress;p=1',
    '/wallet;p/validateaddress',
    '/wallet/validateaddress/',
  ];
  for (const url of spellings) {
    for (const method of ['GET', 'POST'] as const) {
      const reply = await app.inject({ url, method });
      t.equal(reply.statusCode, 404, `${method} ${url}`);
      t.equal(reply.body, '{"Error":"this API is unavailable due to config"}\n', `${method} ${url}`);
    }
  }
});

t.test('reports a disabled API only on paths of its server', async (t) => {
  const disabled = ['getnowblock', 'getnodeinfo', ''];
  const apps = { fullnode: server(t, { disabled }), solidity: server(t, { disabled, name: 'solidity' }) };
  const told = async (name: keyof typeof apps, url: string) =>
    (await apps[name].inject({ url })).body.includes('unavailable due to config');
  for (const url of ['/wallet/getnowblock', '/monitor/getnodeinfo']) t.ok(await told('fullnode', url), url);
  for (const url of ['/walletsolidity/getnowblock', '/wallet/getnodeinfo']) t.ok(await told('solidity', url), url);
  for (const url of ['/walletsolidity/getnowblock', '//wallet/getnowblock', '/WALLET/getnowblock', '/', '/wallet/'])
    t.notOk(await told('fullnode', url), url);
  for (const url of ['/wallet/getnowblock', '/monitor/getnodeinfo']) t.notOk(await told('solidity', url), url);
});

t.test(
  'answers a body above the release limit with an error text, and above maxMessageSize with status 413',
  async (t) => {
    const payload = JSON.stringify({ address: 'x'.repeat(200) });
    const plain = await server(t).inject({ url: '/wallet/createtransaction', method: 'POST', payload });
    t.equal(plain.body, '{"Error":"class java.lang.Exception : body size is too big, the limit is 100"}\n');
    const strict = server(t, { messageBytesMax: 50 });
    const url = '/wallet/nothing';
    t.equal((await strict.inject({ url, method: 'POST', payload })).statusCode, 413);
    t.equal((await strict.inject({ url, method: 'POST', payload: '{}' })).statusCode, 405);
    const port = await listening(t, { messageBytesMax: 50 });
    const put = await strict.inject({ url, method: 'PUT', payload });
    t.same([put.statusCode, put.body], [413, ''], 'in a page only where the method has pages');
    const waiting = 'POST /wallet/getaccount HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 51\r\n\r\n';
    t.match(await exchange(port, waiting), /^HTTP\/1\.1 413 /, 'before it is sent');
    const head = 'POST /wallet/getaccount HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    t.match(
      await exchange(port, `${head}40\r\n${'x'.repeat(64)}\r\n40\r\n`),
      /^HTTP\/1\.1 413 /,
      'without Content-Length',
    );
  },
);

t.test('rejects a body with too many elements before reading it', async (t) => {
  const app = server(t);
  const payload = `[${'0,'.repeat(100_001)}0]`;
  const roomy = server(t, { bodyBytesMax: 4_194_304 });
  const url = '/wallet/createtransaction';
  const reply = await roomy.inject({ url, method: 'POST', payload });
  t.equal(reply.body, '{"Error":"class java.lang.Exception : body has too many elements, the limit is 100000"}\n');
  t.match((await app.inject({ url, method: 'POST', payload })).body, 'body size is too big', 'its size comes first');
});

t.test('queues connections above the limit', async (t) => {
  const port = await listening(t, { connectionsMax: 1 });
  const first = connect(port, '127.0.0.1');
  await new Promise((resolve) => first.once('connect', resolve));
  const second = exchange(port, 'OPTIONS /wallet/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const early = await Promise.race([second, new Promise((resolve) => setTimeout(resolve, 100, 'waits'))]);
  t.equal(early, 'waits');
  first.destroy();
  t.match(await second, /^HTTP\/1\.1 200 /);
});

// Seen at java-tron 4.7.2 and 4.8.2, which wait for 30 s, 2026-11-26.
t.test('closes a silent connection without a response and fails a body that does not arrive', async (t) => {
  const port = await listening(t, { idleTimeoutMs: 200 });
  t.equal(await exchange(port, ''), '');
  t.equal(await exchange(port, 'GET /wallet/getnowblock HTTP/1.1\r\nHost: x\r\n'), '');
  const head = 'HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"num"';
  const error = (name: string): string => `\r\n\r\n{"Error":"class ${name}java.util.concurrent.TimeoutException: Idle`;
  const late = await exchange(port, `POST /wallet/getblockbynum ${head}`);
  t.match(late, /^HTTP\/1\.1 200 OK\r\n/);
  t.match(late, 'connection: close');
  t.match(late, error('java.io.UncheckedIOException : java.io.IOException: '));
  const chunked = 'HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"';
  t.match(await exchange(port, `POST /wallet/getblockbynum ${chunked}`), 'Idle timeout expired: 30000/30000 ms"}');
});

// Seen at both releases, 2026-11-26: after 30.0 s.
t.test('keeps an answered connection open for the same time only', async (t) => {
  const port = await listening(t, { idleTimeoutMs: 1_300 });
  const kept = connect(port, '127.0.0.1');
  kept.write('GET /a HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(kept, 'data');
  const answered = performance.now();
  kept.resume();
  await once(kept, 'end');
  const ms = performance.now() - answered;
  t.ok(ms > 1_100 && ms < 2_100, `${ms} ms`);
});

t.test('does not wait for a body that is not read', async (t) => {
  const port = await listening(t);
  const head = 'POST /wallet/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n';
  const half = await exchange(port, `${head}\r\n12`);
  t.match(half, /^HTTP\/1\.1 405 .*connection: close/s);
  const whole = await exchange(port, `${head}\r\n123${head}Connection: close\r\n\r\n123`);
  t.equal(whole.match(/HTTP\/1\.1 405 /g)?.length, 2, 'one that came whole leaves the connection open');
});

t.test('returns an empty JSON-RPC response for such a body', async (t) => {
  for (const [release, type] of [
    ['4.7.2', 'application/json-rpc'],
    ['4.8.2', 'application/json;charset=utf-8'],
  ] as const) {
    const form = { release: apiRelease(release), rpcLimits: NO_RPC_LIMITS };
    const port = await listening(t, { idleTimeoutMs: 200, dispatcher: new RpcDispatcher(new Map(), 'a.B', form) });
    const reply = await exchange(port, 'POST /jsonrpc HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
    t.match(reply, `content-type: ${type}\r\n`);
    t.match(reply, /\r\ncontent-length: 0\r\n.*\r\n\r\n$/s);
  }
});
