import pino from 'pino';
import t, { type Test } from 'tap';
import type { ApiContext } from '../../../../../src/api/context/api-context.js';
import { Dispatcher } from '../../../../../src/api/http/dispatch.js';
import { createHttpServer } from '../../../../../src/api/http/server/http-server.js';
import { rpcPath } from '../../../../../src/api/jsonrpc/dispatch.js';
import { NO_STATISTICS } from '../../../../../src/api/metrics/chain-metrics.js';
import { type ApiMiddlewareOptions, createApiMiddleware } from '../../../../../src/api/middleware/api-middleware.js';
import { RememberedIds } from '../../../../../src/api/operations/broadcast.js';
import { apiRelease } from '../../../../../src/api/releases/releases.js';

interface Overrides extends Partial<Pick<ApiMiddlewareOptions, 'hasMeters' | 'opensHistory'>> {
  readonly isLite?: boolean;
  readonly release?: string;
  readonly limits?: ApiMiddlewareOptions['rates']['http'];
}

function server(
  t: Test,
  { release = '4.7.2', isLite = false, limits = [], hasMeters = false, opensHistory = false }: Overrides,
) {
  const head = { headNumber: 5, blockIdAt: () => (isLite ? undefined : new Uint8Array(32)) };
  const api = {
    settings: { release: apiRelease(release), addressPrefix: 0x41, bodyBytesMax: 100 },
    pending: { count: 3 },
    view: () => head,
  } as unknown as ApiContext;
  const gate = createApiMiddleware({
    api,
    rates: {
      ...{ qps: 1000, addressQps: 1000, interfaceQps: 1000, refusesAtOnce: false },
      rules: apiRelease('4.7.2').admission,
      http: limits,
      rpc: [],
      warn: () => {},
    },
    hasMeters,
    opensHistory,
    node: { ip: '127.0.0.1' },
    chainStatistics: () => NO_STATISTICS,
    otherTraffic: () => [],
  });
  const { app } = createHttpServer({
    paths: new Dispatcher('fullnode', { api, remembered: new RememberedIds(), startedMs: 0, gate }, []).paths,
    connectionsMax: 0,
    gate,
    countsResponses: true,
    log: pino({ level: 'silent' }),
  });
  t.teardown(() => app.close());
  return { app, gate };
}

// Keeps the process alive. The timers of delayed calls do not, and no port is open here.
const alive = setInterval(() => {}, 1000);
t.teardown(() => clearInterval(alive));

const SIZE = '/wallet/getpendingsize';
const answer = '{"pendingSize": 3}\n';

t.test('answers calls above the handler limit with the text of java-tron', async (t) => {
  const limits = [
    { component: 'GetPendingSizeServlet', strategy: 'GlobalPreemptibleAdapter', paramString: 'permit=-1' },
  ];
  const { app } = server(t, { limits });
  const [get, head] = await Promise.all([app.inject({ url: SIZE }), app.inject({ url: SIZE, method: 'HEAD' })]);
  t.equal(get.statusCode, 200);
  t.equal(get.body, '{"Error":"class java.lang.IllegalAccessException : lack of computing resources"}\n');
  t.equal(get.headers['content-type'], 'application/json;charset=utf-8');
  t.equal(head.body, '');
  t.equal((await app.inject({ url: '/wallet/nothing' })).statusCode, 404, 'a path without a handler has no limit');
});

t.test('delays calls above a rate limit', async (t) => {
  const limits = [{ component: 'GetPendingSizeServlet', strategy: 'IPQPSRateLimiterAdapter', paramString: 'qps=4' }];
  const { app } = server(t, { limits });
  const started = performance.now();
  const replies = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => app.inject({ url: SIZE })));
  // At most four calls use the permits of an idle second. The others run 250 ms apart.
  t.ok(performance.now() - started > 700);
  for (const reply of replies) t.equal(reply.body, answer);
});

t.test('closes history paths on a lite node for every spelling', async (t) => {
  const { app } = server(t, { isLite: true });
  for (const url of ['/wallet/getblockbynum?num=1', '/wallet/getblockbylimitnex%74', '/wallet/getblockbyid;a']) {
    const reply = await app.inject({ url });
    t.equal(reply.statusCode, 200, url);
    t.equal(reply.body, 'this API is closed because this node is a lite fullnode', url);
    t.equal(reply.headers['content-type'], 'application/json;charset=utf-8', url);
  }
  t.equal((await app.inject({ url: SIZE })).body, answer);
  for (const options of [{ isLite: true, opensHistory: true }, {}]) {
    const { body } = await server(t, options).app.inject({ url: '/wallet/getblockbynum?num=x' });
    t.match(body, 'NumberFormatException');
  }
});

t.test('counts calls by path', async (t) => {
  const { app, gate } = server(t, { hasMeters: true });
  await app.inject({ url: `${SIZE}?x=1` });
  await app.inject({ url: '/wallet/createtransaction', method: 'PUT' });
  await app.inject({ url: '/wallet/nothing' });
  const { qps, failQps, outTraffic, detail } = gate.metrics.traffic();
  t.same([qps.count, failQps.count], [3n, 2n]);
  t.ok(outTraffic.count > BigInt(answer.length));
  t.same(
    detail.map(({ name, failQps }) => [name, failQps?.count]),
    [
      ['/wallet/createtransaction', 1n],
      [SIZE, undefined],
    ],
    'unknown paths are not counted',
  );
});

t.test('since 4.8.2, answers status 400 to a scan for TRC20 notes that filters by events', async (t) => {
  const path = '/wallet/scanshieldedtrc20notesbyivk';
  const refusal = "class java.lang.IllegalArgumentException : 'events' field is deprecated and no longer supported";
  const { app } = server(t, { release: '4.8.2' });
  const get = await app.inject({ method: 'GET', url: `${path}?events=&events=Burn` });
  t.same([get.statusCode, JSON.parse(get.payload)], [400, { Error: refusal }]);
  const post = await app.inject({ method: 'POST', url: path, payload: '{"events":["Burn"]}' });
  t.same([post.statusCode, JSON.parse(post.payload)], [400, { Error: refusal }]);
  const empty = await app.inject({ method: 'POST', url: path, payload: '{"events":[""]}' });
  t.equal(empty.statusCode, 200);
  t.match(empty.payload, 'Shielded transaction API is disabled');
  const old = await server(t, {}).app.inject({ method: 'GET', url: `${path}?events=Burn` });
  t.equal(old.statusCode, 200);
});

t.test('JSON-RPC calls above the handler limit get an error with their id, if calls are identified', async (t) => {
  const limits = [{ component: 'JsonRpcServlet', strategy: 'GlobalPreemptibleAdapter', paramString: 'permit=-1' }];
  const { gate } = server(t, { limits });
  const release = apiRelease('4.8.2');
  const bodyOf = async (identifiesCalls: boolean): Promise<unknown> => {
    const form = { release, rpcLimits: release.rpcLimits, identifiesCalls };
    const paths = [rpcPath({ methods: new Map(), form, component: 'JsonRpcServlet' })];
    const { app } = createHttpServer({ paths, connectionsMax: 0, gate, log: pino({ level: 'silent' }) });
    t.teardown(() => app.close());
    const payload = '{"jsonrpc":"2.0","id":7,"method":"eth_chainId"}';
    return (await app.inject({ method: 'POST', url: '/jsonrpc', payload })).json();
  };
  const text = 'lack of computing resources';
  t.same(await bodyOf(true), { jsonrpc: '2.0', error: { code: -32005, message: text }, id: 7 });
  t.same(await bodyOf(false), { Error: `class java.lang.IllegalAccessException : ${text}` });
});
