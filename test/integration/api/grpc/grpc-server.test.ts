import { once } from 'node:events';
import { connect, type Settings } from 'node:http2';
import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import pino from 'pino';
import t, { type Test } from 'tap';
import type { ApiContext, ChainView } from '../../../../src/api/context/api-context.js';
import { GrpcServer, type GrpcServerOptions } from '../../../../src/api/grpc/grpc-server.js';
import { RememberedIds } from '../../../../src/api/operations/broadcast.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import {
  BytesMessage,
  NumberMessage,
  Transaction,
  TransactionContract,
  TransactionRaw,
} from '../../../../src/codec/generated/messages.js';
import { limits } from '../../../support/grpc/limits.js';

const api = { settings: { release: apiRelease('4.7.2') }, pending: { count: 7 } } as unknown as ApiContext;

/** Starts a server on a free port. Returns the port. */
async function listen(t: Test, options: Pick<GrpcServerOptions, 'server' | 'disabled' | 'limits'>): Promise<number> {
  const served = new GrpcServer({
    release: apiRelease('4.7.2'),
    call: () => ({ api, view: {} as ChainView, remembered: new RememberedIds() }),
    log: pino({ level: 'silent' }),
    ...options,
  });
  t.teardown(() => served.close());
  return served.listen({ port: 0, host: '127.0.0.1' });
}

async function serve(t: Test, server: 'fullnode' | 'solidity', disabled: string[] = [], bytesMax = 1000) {
  const port = await listen(t, { server, disabled, limits: { ...limits, maxMessageSize: bytesMax } });
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  t.teardown(() => client.close());
  return (name: string, bytes: Uint8Array = new Uint8Array(0)): Promise<Buffer | readonly [number, string]> =>
    new Promise((resolve) => {
      const done = (error: ServiceError | null, reply?: Buffer): void =>
        resolve(error === null ? reply! : [error.code, error.details]);
      client.makeUnaryRequest(`/${name}`, Buffer.from, Buffer.from, Buffer.from(bytes), done);
    });
}

t.test('answers a request with the message of its method', async (t) => {
  const query = await serve(t, 'fullnode');
  const reply = await query('protocol.Wallet/GetPendingSize');
  t.equal(NumberMessage.decode(reply as Buffer).num, 7n);
});

t.test('rejects calls with the error text of java-tron', async (t) => {
  const query = await serve(t, 'fullnode');
  t.same(await query('protocol.Wallet/Nothing'), [12, 'Method not found: protocol.Wallet/Nothing']);
  t.same(await query('protocol.WalletSolidity/GetNowBlock'), [
    12,
    'Method not found: protocol.WalletSolidity/GetNowBlock',
  ]);
  t.same(await query('x'), [12, 'Method not found: x']);
  t.same(await query('__proto__/toString'), [12, 'Method not found: __proto__/toString']);
  t.same(await query('protocol.Wallet/toString'), [12, 'Method not found: protocol.Wallet/toString']);
  t.same(await query('protocol.Wallet/BuyStorage'), [12, 'Method protocol.Wallet/BuyStorage is unimplemented']);
  t.same(await query('protocol.Wallet/GetPendingSize', Uint8Array.of(0xff)), [2, ''], 'malformed message');
  const noId = BytesMessage.encode(Object.assign(new BytesMessage(), { value: Uint8Array.of(1) }));
  t.same(await query('protocol.Wallet/GetTransactionFromPending', noId), [2, ''], 'id of another length');
  t.same(await query('protocol.Wallet/GetNowBlock'), [2, ''], 'an internal error has no text');
});

t.test('rejects disabled methods on every port', async (t) => {
  const query = await serve(t, 'solidity', ['getnowblock']);
  t.same(await query('protocol.WalletSolidity/GetNowBlock'), [14, 'this API is unavailable due to config']);
  t.same(await query('protocol.Database/GetNowBlock'), [14, 'this API is unavailable due to config']);
});

t.test('rejects a message above the limit and keeps serving', async (t) => {
  const query = await serve(t, 'fullnode');
  const [code] = (await query('protocol.Wallet/GetPendingSize', new Uint8Array(2000))) as readonly [number, string];
  t.equal(code, 1, 'CANCELLED: the call is dropped');
  t.equal(NumberMessage.decode((await query('protocol.Wallet/GetPendingSize')) as Buffer).num, 7n);
});

t.test('rejects a message with too many fields before the method runs', async (t) => {
  const query = await serve(t, 'fullnode', [], 4_194_304);
  // `raw_data` with contracts that have no fields.
  const transaction = (contracts: number): Uint8Array => {
    const rawData = Object.assign(new TransactionRaw(), {
      contract: Array.from({ length: contracts }, () => new TransactionContract()),
    });
    return Transaction.encode(Object.assign(new Transaction(), { rawData }));
  };
  const text = 'message has too many fields, the limit is 50000';
  t.same(await query('protocol.Wallet/GetTransactionSignWeight', transaction(50_000)), [8, text]);
  t.same(await query('protocol.Wallet/GetTransactionSignWeight', transaction(49_999)), [2, ''], 'the method runs');
});

t.test('divides the concurrent calls among the connections', async (t) => {
  const port = await listen(t, {
    server: 'fullnode',
    disabled: [],
    limits: { ...limits, maxConcurrentCallsPerConnection: 1000 },
  });
  const limitOf = async (): Promise<number | undefined> => {
    const session = connect(`http://127.0.0.1:${port}`);
    t.teardown(() => session.destroy());
    const [settings] = (await once(session, 'remoteSettings')) as [Settings];
    return settings.maxConcurrentStreams;
  };
  const found: (number | undefined)[] = [];
  for (let connections = 1; connections <= 130; connections++) found.push(await limitOf());
  t.same([found[0], found[3], found[4], found[63], found[127], found[129]], [256, 256, 204, 16, 8, 8]);
});
