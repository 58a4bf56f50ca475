import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fastify } from 'fastify';
import pino from 'pino';
import t, { type Test } from 'tap';
import type { ApiContext } from '../../src/api/context/api-context.js';
import { Dispatcher } from '../../src/api/http/dispatch.js';
import { routesOf } from '../../src/api/http/route-table.js';
import { createHttpServer } from '../../src/api/http/server/http-server.js';
import { RequestSources } from '../../src/api/http/server/request-sources.js';
import { openApiDocument } from '../../src/api/openapi/document.js';
import { serveOpenApi } from '../../src/api/openapi/serve-openapi.js';
import { RememberedIds } from '../../src/api/operations/broadcast.js';
import { apiRelease } from '../../src/api/releases/releases.js';
import type { ServerName } from '../../src/api/servers.js';
import { serveStatusPage } from '../../src/api/status-page/status-page.js';
import { v1Routes } from '../../src/api/v1/v1-routes.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const ports = { fullnode: 8090, solidity: 8091, pbft: 8092 };
const servers = Object.keys(ports) as ServerName[];

t.test('lists every path with its supported methods', async (t) => {
  const { openapi, paths } = openApiDocument({
    ports,
    disabled: [],
    release: apiRelease('4.7.2'),
    hasV1: true,
  }) as Document;
  t.equal(openapi, '3.1.0');
  for (const server of servers) {
    for (const { path, get, post } of routesOf(server, apiRelease('4.7.2')).values()) {
      t.equal(paths[path]?.['get'] !== undefined, get !== undefined && get !== 'empty', `GET ${path}`);
      t.equal(paths[path]?.['post'] !== undefined, post !== undefined, `POST ${path}`);
    }
  }
  const ids = Object.values(paths).flatMap((item) =>
    ['get', 'post'].flatMap((method) => item[method]?.operationId ?? []),
  );
  t.equal(new Set(ids).size, ids.length, 'operations have names of their own');
});

t.test('defines everything that it references', async (t) => {
  const document = openApiDocument({ ports, disabled: [], release: apiRelease('4.7.2'), hasV1: true }) as Document;
  const named = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!);
  for (const name of new Set(named)) t.ok(document.components.schemas[name], name);
});

t.test('omits disabled servers and interfaces', async (t) => {
  const { paths } = openApiDocument({
    ports: { fullnode: 1 },
    disabled: ['getaccount'],
    release: apiRelease('4.7.2'),
    hasV1: false,
  }) as Document;
  t.notOk(paths['/wallet/getaccount']);
  t.notOk(paths['/walletsolidity/getnowblock']);
  t.ok(paths['/wallet/getnowblock']);
  t.notOk(paths['/v1/assets']);
});

t.test('lists every path of /v1 with the parameters of its table', async (t) => {
  const { paths } = openApiDocument({ ports, disabled: [], release: apiRelease('4.7.2'), hasV1: true }) as Document;
  const documented = Object.keys(paths).filter((path) => path.startsWith('/v1/'));
  t.same(
    documented.map((path) => path.slice(1).replace(/\{\w+\}/g, '*')).sort(),
    v1Routes
      .map(([path]) => path.replace('**', '*'))
      .filter((path) => path.startsWith('v1/'))
      .sort(),
  );
  t.match(paths['/v1/accounts/{address}/transactions']?.['get'], {
    operationId: 'getV1AccountsAddressTransactions',
    parameters: [
      { name: 'address', in: 'path', required: true },
      { name: 'only_confirmed', in: 'query' },
    ],
  });
  t.notOk(
    (openApiDocument({ ports: {}, disabled: [], release: apiRelease('4.7.2'), hasV1: true }) as Document).paths[
      '/v1/assets'
    ],
  );
});

/** Starts the server of the status page. Of the node, only the number of pending transactions is simulated. */
async function page(t: Test) {
  const api = {
    settings: { release: apiRelease('4.7.2'), addressPrefix: 0x41, bodyBytesMax: 1e6 },
    pending: { count: 3 },
    view: () => ({}),
  };
  const services = { api: api as unknown as ApiContext, remembered: new RememberedIds(), startedMs: 0 };
  const { app: http } = createHttpServer({
    paths: new Dispatcher('fullnode', services, []).paths,
    connectionsMax: 0,
    sources: new RequestSources({ origins: ['https://a.example'], hosts: [], servesLocalPages: false }),
    log: pino({ level: 'silent' }),
  });
  const app = fastify({ forceCloseConnections: true });
  await serveStatusPage(app);
  await serveOpenApi(app, {
    servers: new Map([['fullnode', http]]),
    ports: { fullnode: 8090 },
    disabled: [],
    release: apiRelease('4.7.2'),
    hasV1: true,
  });
  t.teardown(() => app.close());
  t.teardown(() => http.close());
  return { app, http };
}

t.test('answers a request of the API page like a direct request', async (t) => {
  const { app } = await page(t);
  const good = await app.inject('/http-api/try/fullnode/wallet/getpendingsize');
  t.same([good.statusCode, good.body], [200, '{"pendingSize": 3}\n']);
  const text = {
    url: '/http-api/try/fullnode/wallet/validateaddress',
    method: 'POST',
    payload: '{"address":"x"}',
  } as const;
  const plain = await app.inject({ ...text, headers: { 'content-type': 'application/json' } });
  t.match(plain.body, '"result":false');
  t.equal((await app.inject('/http-api/try/fullnode/wallet/nothing')).statusCode, 404);
  t.equal((await app.inject('/http-api/try/other/wallet/getnowblock')).statusCode, 404);
});

t.test('allows only configured origins to read responses', async (t) => {
  const { http } = await page(t);
  const url = '/wallet/getpendingsize';
  const named = await http.inject({ url, headers: { origin: 'https://a.example' } });
  t.equal(named.headers['access-control-allow-origin'], 'https://a.example');
  t.equal(named.headers['vary'], 'Origin');
  const preflight = await http.inject({
    url,
    method: 'OPTIONS',
    headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
  });
  t.equal(preflight.statusCode, 204);
  t.equal(preflight.headers['access-control-allow-methods'], 'GET, HEAD, POST, OPTIONS');
  const other = await http.inject({ url, headers: { origin: 'https://b.example' } });
  t.equal(other.headers['access-control-allow-origin'], undefined);
  t.equal(other.body, named.body);
});

t.test('shows the API page in a real browser', async (t) => {
  const { app } = await page(t);
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const { stdout } = await promisify(execFile)(
    'chromium',
    [
      ...[
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        `--user-data-dir=${temporaryFolder(t)}`,
      ],
      ...['--virtual-time-budget=5000', '--dump-dom', `${address}/http-api#/wallet/getaccount`],
    ],
    { timeout: 90_000, maxBuffer: 16 * 1024 * 1024 },
  );
  t.match(stdout, /id="call-title"[^>]*>\/wallet\/getaccount</);
  t.match(stdout, /id="problem"[^>]*hidden/);
  t.match(stdout, /value="post"[\s\S]*value="get"/, 'both methods are offered');
  t.match(stdout, /href="#\/v1\/accounts\/\{address\}"/);
  t.ok((stdout.match(/href="#\/wallet\//g) ?? []).length > 100, 'all calls are listed');
});
