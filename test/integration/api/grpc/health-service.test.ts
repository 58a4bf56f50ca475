import { setTimeout as sleep } from 'node:timers/promises';
import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import pino from 'pino';
import t, { type Test } from 'tap';
import type { ApiContext, ChainView } from '../../../../src/api/context/api-context.js';
import { GrpcServer } from '../../../../src/api/grpc/grpc-server.js';
import { RememberedIds } from '../../../../src/api/operations/broadcast.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import { limits } from '../../../support/grpc/limits.js';

const CHECK = '/grpc.health.v1.Health/Check';
const WATCH = '/grpc.health.v1.Health/Watch';
const [SERVING, NOT_SERVING, SERVICE_UNKNOWN] = [Buffer.from([8, 1]), Buffer.from([8, 2]), Buffer.from([8, 3])];

/** Encodes a HealthCheckRequest. */
const requestOf = (service: string): Buffer => Buffer.from([10, service.length, ...Buffer.from(service)]);

async function serve(t: Test, isReady: () => boolean) {
  const served = new GrpcServer({
    release: apiRelease('4.7.2'),
    server: 'solidity',
    call: () => ({ api: {} as ApiContext, view: {} as ChainView, remembered: new RememberedIds() }),
    disabled: [],
    limits: { ...limits, maxMessageSize: 100_000 },
    isReady,
    log: pino({ level: 'silent' }),
  });
  const port = await served.listen({ port: 0, host: '127.0.0.1' });
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  t.teardown(async () => {
    client.close();
    await served.close();
  });
  const check = (bytes: Buffer): Promise<Buffer | readonly [number, string]> =>
    new Promise((resolve) => {
      const done = (error: ServiceError | null, reply?: Buffer): void =>
        resolve(error === null ? reply! : [error.code, error.details]);
      client.makeUnaryRequest(CHECK, Buffer.from, Buffer.from, bytes, done);
    });
  return { client, check, served };
}

t.test('checks the server and each of its services', async (t) => {
  let isReady = true;
  const { check } = await serve(t, () => isReady);
  for (const request of [Buffer.alloc(0), requestOf('protocol.WalletSolidity')]) t.same(await check(request), SERVING);
  isReady = false;
  t.same(await check(requestOf('protocol.WalletSolidity')), NOT_SERVING);
  t.same(
    await check(requestOf('protocol.Wallet')),
    [5, 'unknown service protocol.Wallet'],
    'a service of another port is unknown',
  );
});

t.test('drops a call with a large request, and keeps serving', async (t) => {
  const { check } = await serve(t, () => true);
  const large = Buffer.concat([Buffer.from([10, 0xa0, 0x06]), Buffer.alloc(800)]);
  t.match(await check(Buffer.concat([large, large])), [1, 'Call cancelled']);
  t.same(await check(Buffer.alloc(0)), SERVING);
});

t.test('watches the health status until the server closes', async (t) => {
  let isReady = false;
  const { client, served } = await serve(t, () => isReady);
  const watch = (request: Buffer): Buffer[] => {
    const found: Buffer[] = [];
    const stream = client.makeServerStreamRequest(WATCH, Buffer.from, Buffer.from, request);
    stream.on('data', (bytes: Buffer) => found.push(bytes));
    stream.on('error', () => undefined);
    return found;
  };
  const [own, unknown] = [watch(requestOf('')), watch(requestOf('x'))];
  const until = async (count: number): Promise<void> => {
    for (let at = 0; at < 50 && own.length < count; at++) await sleep(100);
  };
  await until(1);
  isReady = true;
  await until(2);
  t.same(own, [NOT_SERVING, SERVING], 'one message per change');
  t.same(unknown, [SERVICE_UNKNOWN]);
  await served.close();
});
