import descriptor from 'protobufjs/ext/descriptor.js';
import t from 'tap';
import { DescribedServices } from '../../../../../src/api/grpc/reflection/described-services.js';
import { present } from '../../../../../src/primitives/assert.js';

interface Found {
  readonly originalRequest: object;
  readonly listServicesResponse?: { readonly service: readonly { readonly name: string }[] };
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto: readonly Uint8Array[] };
  readonly errorResponse?: { readonly errorCode: number; readonly errorMessage: string };
}

const HEAD = ['protocol.Database', 'protocol.Wallet'];
const described = new DescribedServices(HEAD, ['v1alpha']);

function query(kind: string, value: unknown, host = ''): Found {
  return described.answer({ host, messageRequest: kind, [kind]: value }) as Found;
}

function filesOf({ fileDescriptorResponse: found }: Found): Record<string, unknown>[] {
  return (found?.fileDescriptorProto ?? []).map((bytes) =>
    descriptor.FileDescriptorProto.toObject(descriptor.FileDescriptorProto.decode(bytes), { enums: String }),
  );
}

// Services of each server, and the list in the answer of java-tron 4.8.2.
const LISTS = [
  [HEAD, ['protocol.Wallet', 'grpc.reflection.v1alpha.ServerReflection', 'protocol.Database']],
  [
    ['protocol.Database', 'protocol.WalletSolidity'],
    ['grpc.reflection.v1alpha.ServerReflection', 'protocol.Database', 'protocol.WalletSolidity'],
  ],
] as const;

t.test('lists services in the order of java-tron, including services of this node', async (t) => {
  for (const [services, expected] of LISTS) {
    const answer = new DescribedServices(services, ['v1alpha']).answer({ host: '', messageRequest: 'listServices' });
    const names = (answer as Found).listServicesResponse?.service.map(({ name }) => name);
    t.same(names, expected);
  }
});

const FOUND: readonly (readonly [symbol: string, files: readonly string[]])[] = [
  ['protocol.WitnessCreateContract', ['core/contract/witness_contract.proto']],
  ['protocol.AccountCreateContract', ['core/contract/account_contract.proto', 'core/Tron.proto']],
  ['google.protobuf.Any', ['google/protobuf/any.proto']],
  ['grpc.reflection.v1alpha.ServerReflection', ['grpc/reflection/v1alpha/reflection.proto']],
  ...['protocol.Transaction', 'protocol.Transaction.raw', 'protocol.Account.AssetEntry', 'protocol.HelloMessage'].map(
    (symbol) => [symbol, ['core/Tron.proto', 'google/protobuf/any.proto']] as const,
  ),
  ...['protocol.Wallet', 'protocol.Wallet.GetNowBlock', 'protocol.WalletSolidity', 'protocol.Return'].map(
    (symbol) => [symbol, ['api/api.proto', 'core/contract/shield_contract.proto']] as const,
  ),
];

t.test('finds services, methods and messages with all their dependencies', async (t) => {
  for (const [symbol, files] of FOUND) {
    const names = filesOf(query('fileContainingSymbol', symbol)).map(({ name }) => name);
    t.equal(names[0], files[0], symbol);
    for (const file of files) t.ok(names.includes(file), `${symbol} needs ${file}`);
  }
  t.equal(filesOf(query('fileContainingSymbol', 'protocol.Wallet')).length, 15);
});

t.test('returns NOT_FOUND for unknown symbols', async (t) => {
  const names = ['protocol.Wallet.Nope', 'protocol.ResourceCode', 'protocol.AccountType.Normal', 'protocol', ''];
  for (const symbol of [...names, 'protocol.Transaction.raw.ref_block_num', '.protocol.Wallet'])
    t.same(query('fileContainingSymbol', symbol).errorResponse, { errorCode: 5, errorMessage: 'Symbol not found.' });
  for (const name of ['nothing.proto', '', 'api.proto', 'api/zksnark.proto', 'google/api/http.proto'])
    t.same(query('fileByFilename', name).errorResponse, { errorCode: 5, errorMessage: 'File not found.' });
  t.same(query('fileContainingExtension', {}).errorResponse, { errorCode: 5, errorMessage: 'Extension not found.' });
  t.same(query('allExtensionNumbersOfType', 'protocol.Transaction').errorResponse, {
    errorCode: 5,
    errorMessage: 'Type not found.',
  });
});

t.test('echoes the request, but omits an invalid host', async (t) => {
  t.same(query('fileByFilename', 'x').originalRequest, { fileByFilename: 'x' });
  t.match(query('fileByFilename', 'x', 'h'), { validHost: 'h', originalRequest: { host: 'h', fileByFilename: 'x' } });
  t.match(described.answer({ host: '' }), {
    originalRequest: {},
    errorResponse: { errorCode: 12, errorMessage: 'not implemented MESSAGEREQUEST_NOT_SET' },
  });
});

t.test('describes messages, enums, maps and methods with full names', async (t) => {
  const [file] = filesOf(query('fileByFilename', 'core/Tron.proto'));
  const types = present(file?.['messageType'], 'it has messages') as {
    name: string;
    field: object[];
    nestedType: object[];
    enumType: object[];
  }[];
  const proposal = types.find(({ name }) => name === 'Proposal');
  t.match(proposal?.field[2], { name: 'parameters', number: 3, typeName: '.protocol.Proposal.ParametersEntry' });
  t.match(proposal?.nestedType, [{ name: 'ParametersEntry', options: { mapEntry: true } }]);
  t.match(proposal?.enumType, [{ name: 'State', value: [{ name: 'PENDING', number: 0 }] }]);
  t.equal(file?.['package'], 'protocol');
  const [api] = filesOf(query('fileByFilename', 'api/api.proto'));
  const wallet = (present(api?.['service'], 'it has services') as { name: string; method: object[] }[]).find(
    ({ name }) => name === 'Wallet',
  );
  t.match(
    wallet?.method.find((method) => 'name' in method && method.name === 'GetNowBlock'),
    { inputType: '.protocol.EmptyMessage', outputType: '.protocol.Block' },
  );
});
