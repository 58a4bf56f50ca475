import { fileURLToPath } from 'node:url';
import { type Client, credentials, loadPackageDefinition, type ServiceClientConstructor } from '@grpc/grpc-js';
import { loadFileDescriptorSetFromBuffer, loadSync } from '@grpc/proto-loader';
import t from 'tap';
import { decodeBase58Check } from '../../../src/crypto/base58-check.js';
import { FUNDS, startPrivateNetwork } from './private-network.js';

// Runs a client that has no schema. It reads the schema by reflection and calls the methods in it.
const protos = fileURLToPath(new URL('../../../proto', import.meta.url));
const reflection = loadPackageDefinition(
  loadSync('grpc/reflection/v1/reflection.proto', { includeDirs: [protos], keepCase: true }),
) as unknown as { grpc: { reflection: { v1: { ServerReflection: ServiceClientConstructor } } } };

interface Answer {
  readonly list_services_response?: { readonly service: readonly { readonly name: string }[] };
  readonly file_descriptor_response?: { readonly file_descriptor_proto: readonly Uint8Array[] };
  readonly error_response?: { readonly error_code: number; readonly error_message: string };
}

async function reflect(port: number, request: object): Promise<Answer> {
  const client = new reflection.grpc.reflection.v1.ServerReflection(`127.0.0.1:${port}`, credentials.createInsecure());
  const stream = (client['ServerReflectionInfo'] as () => import('@grpc/grpc-js').ClientDuplexStream<object, Answer>)();
  try {
    return await new Promise<Answer>((resolve, reject) => {
      stream.on('data', resolve);
      stream.on('error', reject);
      stream.write(request);
    });
  } finally {
    stream.end();
    client.close();
  }
}

/**
 * Returns the files that define a symbol as an encoded FileDescriptorSet. Its first field is repeated for each file.
 */
async function schemaOf(port: number, symbol: string): Promise<Buffer> {
  const { file_descriptor_response: found } = await reflect(port, { file_containing_symbol: symbol });
  return Buffer.concat(found!.file_descriptor_proto.flatMap((file) => [Buffer.of(0x0a), varint(file.length), file]));
}

function varint(value: number): Buffer {
  return value < 0x80 ? Buffer.of(value) : Buffer.concat([Buffer.of((value & 0x7f) | 0x80), varint(value >> 7)]);
}

t.test('a client without a schema calls the methods that reflection lists', async (t) => {
  const [account] = await startPrivateNetwork(t);
  const services = async (port: number): Promise<string[]> =>
    (await reflect(port, { list_services: '' })).list_services_response!.service.map(({ name }) => name).sort();
  t.strictSame(await services(50051), [
    'grpc.reflection.v1.ServerReflection',
    'grpc.reflection.v1alpha.ServerReflection',
    'protocol.Database',
    'protocol.Wallet',
  ]);
  t.ok((await services(50061)).includes('protocol.WalletSolidity'));
  t.ok((await services(50071)).includes('protocol.WalletSolidity'));
  t.notOk((await services(50061)).includes('protocol.Wallet'));
  t.equal((await reflect(50051, { file_containing_symbol: 'protocol.Nothing' })).error_response?.error_code, 5);

  const schema = await schemaOf(50051, 'protocol.Wallet');
  const definition = loadFileDescriptorSetFromBuffer(schema, { keepCase: true, longs: Number });
  const { protocol } = loadPackageDefinition(definition) as unknown as {
    protocol: { Wallet: ServiceClientConstructor };
  };
  const wallet = new protocol.Wallet('127.0.0.1:50051', credentials.createInsecure());
  t.teardown(() => wallet.close());
  const call = async <T>(method: string, request: object): Promise<T> =>
    new Promise((resolve, reject) => {
      const run = (wallet as Client & Record<string, unknown>)[method] as (
        request: object,
        done: (error: Error | null, reply: T) => void,
      ) => void;
      run.call(wallet, request, (error, reply) => (error === null ? resolve(reply) : reject(error)));
    });
  const block = await call<{ block_header: { raw_data: { number: number } } }>('GetNowBlock2', {});
  t.ok(block.block_header.raw_data.number > 0);
  const found = await call<{ balance: number }>('GetAccount', { address: decodeBase58Check(account!.address) });
  t.equal(found.balance, FUNDS);
});
