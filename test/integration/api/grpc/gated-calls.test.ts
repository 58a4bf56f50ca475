import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import pino from 'pino';
import t, { type Test } from 'tap';
import type { ApiContext, ChainView } from '../../../../src/api/context/api-context.js';
import { GrpcServer, type GrpcServerOptions } from '../../../../src/api/grpc/grpc-server.js';
import { NO_STATISTICS } from '../../../../src/api/metrics/chain-metrics.js';
import { createApiMiddleware } from '../../../../src/api/middleware/api-middleware.js';
import { RememberedIds } from '../../../../src/api/operations/broadcast.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import { NumberMessage } from '../../../../src/codec/generated/messages.js';
import { limits } from '../../../support/grpc/limits.js';

type Reply = Buffer | readonly [code: number, details: string];

interface GateOptions {
  readonly rpc?: readonly { component: string; strategy: string; paramString: string }[];
  readonly hasMeters?: boolean;
  readonly opensHistory?: boolean;
  /** True if the log does not contain the first block, as on a lite node. */
  readonly isLite?: boolean;
}

async function serve(t: Test, gateOptions: GateOptions, options: Partial<GrpcServerOptions> = {}) {
  const view = {
    headNumber: 5,
    blockIdAt: () => (gateOptions.isLite ? undefined : new Uint8Array(32)),
    numberOf: () => undefined,
  } as unknown as ChainView;
  const api = {
    settings: { release: apiRelease('4.7.2') },
    pending: { count: 7 },
    view: () => view,
  } as unknown as ApiContext;
  const gate = createApiMiddleware({
    api,
    rates: {
      ...{ qps: 1000, addressQps: 1000, interfaceQps: 1000, refusesAtOnce: false },
      rules: apiRelease('4.7.2').admission,
      http: [],
      rpc: gateOptions.rpc ?? [],
      warn: () => {},
    },
    hasMeters: gateOptions.hasMeters ?? false,
    opensHistory: gateOptions.opensHistory ?? false,
    node: { ip: '127.0.0.1' },
    chainStatistics: () => NO_STATISTICS,
    otherTraffic: () => [],
  });
  const server = new GrpcServer({
    release: apiRelease('4.7.2'),
    server: 'fullnode',
    call: () => ({ api, view, remembered: new RememberedIds(), gate }),
    disabled: [],
    limits,
    gate,
    log: pino({ level: 'silent' }),
    ...options,
  });
  const port = await server.listen({ port: 0, host: '127.0.0.1' });
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  t.teardown(async () => {
    client.close();
    await server.close();
  });
  const query = (name: string): Promise<Reply> =>
    new Promise((resolve) => {
      const done = (error: ServiceError | null, reply?: Buffer): void =>
        resolve(error === null ? reply! : [error.code, error.details]);
      client.makeUnaryRequest(`/${name}`, Buffer.from, Buffer.from, Buffer.alloc(0), done);
    });
  return { query, gate, client };
}

t.test('answers calls above the method limit with RESOURCE_EXHAUSTED and no text', async (t) => {
  const rpc = [
    { component: 'protocol.Wallet/GetPendingSize', strategy: 'GlobalPreemptibleAdapter', paramString: 'permit=0' },
  ];
  const { query } = await serve(t, { rpc });
  const started = performance.now();
  t.same(await query('protocol.Wallet/GetPendingSize'), [8, '']);
  t.ok(performance.now() - started > 1900, 'the call waits two seconds for a permit, like java-tron');
  t.same(await query('protocol.Wallet/Nothing'), [12, 'Method not found: protocol.Wallet/Nothing']);
});

t.test('delays calls above a low rate limit, and answers all of them', async (t) => {
  const rpc = [
    { component: 'protocol.Wallet/GetPendingSize', strategy: 'QpsRateLimiterAdapter', paramString: 'qps=4' },
  ];
  const { query, gate } = await serve(t, { rpc, hasMeters: true });
  const started = performance.now();
  const replies = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => query('protocol.Wallet/GetPendingSize')));
  // One call runs immediately, and four calls use the permits of an idle second. The others run 250 ms apart, on a
  // machine of any speed.
  t.ok(performance.now() - started > 700);
  for (const reply of replies) t.equal(NumberMessage.decode(reply as Buffer).num, 7n);
  t.equal(gate.metrics.traffic().qps.count, 8n);
});

t.test('closes history methods on a lite node unless configured otherwise', async (t) => {
  const closed = [14, 'this API is closed because this node is a lite fullnode'];
  const lite = await serve(t, { isLite: true });
  t.same(await lite.query('protocol.Wallet/GetBlockById'), closed);
  t.same(await lite.query('protocol.Database/GetBlockByNum'), closed);
  t.equal(NumberMessage.decode((await lite.query('protocol.Wallet/GetPendingSize')) as Buffer).num, 7n);
  const open = await serve(t, { isLite: true, opensHistory: true });
  t.ok(Buffer.isBuffer(await open.query('protocol.Wallet/GetBlockById')), 'returns no block for an empty id');
  const full = await serve(t, {});
  t.ok(Buffer.isBuffer(await full.query('protocol.Wallet/GetBlockById')));
});

t.test('serves Monitor only with node.metricsEnable', async (t) => {
  const without = await serve(t, {});
  t.same(await without.query('protocol.Monitor/GetStatsInfo'), [12, 'Method not found: protocol.Monitor/GetStatsInfo']);
  const withMeters = await serve(t, { hasMeters: true });
  t.same(
    await withMeters.query('protocol.Monitor/GetStatsInfo'),
    [2, ''],
    'the method exists, but fails because this test has no statistics',
  );
});

t.test('lists the services of the port if reflection is enabled', async (t) => {
  const { client } = await serve(t, {}, { reflection: 'both' });
  const answer = await reflect(client, { listServices: '*' });
  const names = (answer as { listServicesResponse: { service: { name: string }[] } }).listServicesResponse.service;
  t.same(names.map(({ name }) => name).sort(), [
    'grpc.reflection.v1.ServerReflection',
    'grpc.reflection.v1alpha.ServerReflection',
    'protocol.Database',
    'protocol.Wallet',
  ]);
  const file = await reflect(client, { fileContainingSymbol: 'protocol.Wallet' });
  t.ok((file as { fileDescriptorResponse?: { fileDescriptorProto: Buffer[] } }).fileDescriptorResponse);
  t.match(await reflect(client, {}), {
    errorResponse: { errorCode: 12, errorMessage: 'not implemented MESSAGEREQUEST_NOT_SET' },
  });
  const off = await serve(t, {});
  t.same(await off.query(REFLECTION), [12, `Method not found: ${REFLECTION}`]);
});

t.test('answers each request of a reflection call and rejects a malformed one', async (t) => {
  const { client } = await serve(t, {}, { reflection: 'both' });
  const open = () => {
    const stream = client.makeBidiStreamRequest(`/${REFLECTION}`, Buffer.from, Buffer.from);
    const answers: Buffer[] = [];
    stream.on('data', (bytes: Buffer) => answers.push(bytes));
    const status = new Promise<number>((resolve) => {
      stream.on('status', ({ code }) => resolve(code));
      stream.on('error', () => undefined);
    });
    return { stream, answers, status };
  };
  const good = open();
  for (let at = 0; at < 3; at++) good.stream.write(Buffer.from('3a012a', 'hex'));
  good.stream.end();
  t.equal(await good.status, 0);
  t.equal(good.answers.length, 3);
  const bad = open();
  bad.stream.write(Buffer.from('3a', 'hex'));
  t.equal(await bad.status, 2, 'the call ends before the client has closed its side');
  t.same(bad.answers, []);
});

t.test('serves only the reflection version that java-tron has', async (t) => {
  const { query } = await serve(t, {}, { reflection: 'v1alpha' });
  t.same(await query(REFLECTION), [12, `Method not found: ${REFLECTION}`]);
});

const REFLECTION = 'grpc.reflection.v1.ServerReflection/ServerReflectionInfo';

/** Sends one reflection request, with the messages that grpcurl sends. */
function reflect(client: Client, question: object): Promise<unknown> {
  const file = new URL('../../../../proto/grpc/reflection/v1/reflection.proto', import.meta.url);
  const service = loadSync(file.pathname)['grpc.reflection.v1.ServerReflection'] as unknown as Record<
    string,
    { requestSerialize(value: object): Buffer; responseDeserialize(bytes: Buffer): object }
  >;
  const { requestSerialize, responseDeserialize } = service['ServerReflectionInfo']!;
  return new Promise((resolve, reject) => {
    const stream = client.makeBidiStreamRequest(`/${REFLECTION}`, requestSerialize, responseDeserialize);
    stream.on('data', resolve);
    stream.on('error', reject);
    stream.write(question);
    stream.end();
  });
}
