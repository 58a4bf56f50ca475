import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import { LOG_TRIGGER_TOPIC } from '../../../../../../src/streams/event-kinds.js';
import type { BlockRecords, EventRecord, PayloadSchema } from '../../../../../../src/streams/records/event-record.js';
import { fullMessageName } from '../../../../../../src/streams/records/protobuf/event-types.js';
import { FramedRecords, frameValue } from '../../../../../../src/streams/sinks/kafka/registry/framed-records.js';
import { messageIndex } from '../../../../../../src/streams/sinks/kafka/registry/registered-schemas.js';
import { SchemaRegistry } from '../../../../../../src/streams/sinks/kafka/registry/schema-registry.js';
import { freePort } from '../../../../../support/free-port.js';
import { RegistryServer } from '../../../../../support/streams/registry-server.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

// Source: Confluent's documentation, "Wire format". A value starts with a magic byte and the id in four bytes. For
// protobuf, the number of indexes and the indexes follow as zigzag varints. The most common list [0] is a single zero
// byte.
for (const [name, message, expected] of [
  ['JSON', undefined, '000000002a7b7d'],
  ['the first message', 0, '000000002a007b7d'],
  ['the second message', 1, '000000002a02027b7d'],
  ['message 63', 63, '000000002a027e7b7d'],
  ['message 64, an index of two bytes', 64, '000000002a0280017b7d'],
] as const)
  t.test(`frames ${name} with id 42`, async (t) => {
    t.equal(hex(frameValue(42, message, '{}')), expected);
    t.equal(hex(frameValue(42, message, Buffer.from('{}'))), expected);
  });

t.test('writes the id with its highest byte first', async (t) => {
  t.equal(hex(frameValue(0x01020304, undefined, '')), '0001020304');
});

t.test('finds the index of a message in the schema', async (t) => {
  t.same(['BlockEvent', 'SolidityEvent', 'TransactionEvent'].map(fullMessageName).map(messageIndex), [0, 1, 2]);
});

const record = (
  trigger: EventRecord['trigger'],
  payload: string | Uint8Array,
  schema?: PayloadSchema,
): EventRecord => ({
  trigger,
  key: 'key',
  payload,
  ...(schema !== undefined && { schema }),
});
const block = (...records: readonly EventRecord[]): BlockRecords => ({
  ...{ seq: 1, number: 1, id: '01', parentId: '00', readAt: 0 },
  records,
});
const topicOf = (trigger: string): string => `tronicle.${trigger}`;

t.test('registers each schema once and frames the values', async (t) => {
  const server = await RegistryServer.start(t, 7);
  const url = `http://operator:secret%40@127.0.0.1:${server.port}/`;
  const framed = new FramedRecords(new SchemaRegistry({ url }), topicOf);
  const blocks = [
    block(record('block', '{"a":1}'), record('transaction', '{}'), record('transaction', '{}')),
    block(record('block', '{}'), record(LOG_TRIGGER_TOPIC, Buffer.of(1, 2))),
  ];
  const values = (await framed.of(blocks)).flatMap(({ records }) =>
    records.map(({ payload }) => hex(payload as Buffer)),
  );
  const [first, empty] = [Buffer.from('{"a":1}').toString('hex'), '7b7d'];
  t.same(values, [`0000000007${first}`, `0000000008${empty}`, `0000000008${empty}`, `0000000007${empty}`, '0102']);
  t.match(server.registrations, [
    { subject: 'tronicle.block-value', schemaType: 'JSON', authorization: 'Basic b3BlcmF0b3I6c2VjcmV0QA==' },
    { subject: 'tronicle.transaction-value', schemaType: 'JSON' },
  ]);
  t.equal(server.registrations.length, 2);
  for (const { schema } of server.registrations)
    t.doesNotThrow(() => new Ajv2020({ strict: false }).compile(JSON.parse(schema) as object));
});

t.test('registers the protobuf schema and writes the index of the message', async (t) => {
  const server = await RegistryServer.start(t, 300);
  const framed = new FramedRecords(new SchemaRegistry({ url: `http://127.0.0.1:${server.port}` }), topicOf);
  const schema = { format: 'protobuf', name: fullMessageName('TransactionEvent') } as const;
  const [made] = await framed.of([block(record('transaction', Buffer.of(8, 1), schema))]);
  t.equal(hex(made?.records[0]?.payload as Buffer), '000000012c02040801');
  t.match(server.registrations, [{ subject: 'tronicle.transaction-value', schemaType: 'PROTOBUF' }]);
  t.match(server.registrations[0]?.schema, /^package tronicle\.events\.v1;$/m);
});

t.test('registers the Avro schema of the trigger, and writes the value directly after the id', async (t) => {
  const server = await RegistryServer.start(t, 300);
  const framed = new FramedRecords(new SchemaRegistry({ url: `http://127.0.0.1:${server.port}` }), topicOf);
  const schema = { format: 'avro', name: fullMessageName('SolidityEvent') } as const;
  const [made] = await framed.of([block(record('solidity', Buffer.of(0x36, 0), schema))]);
  t.equal(hex(made?.records[0]?.payload as Buffer), '000000012c3600');
  t.match(server.registrations, [{ subject: 'tronicle.solidity-value', schemaType: 'AVRO' }]);
  t.match(JSON.parse(server.registrations[0]!.schema), {
    type: 'record',
    namespace: 'tronicle.events.v1',
    name: 'SolidityEvent',
  });
});

t.test('frames nothing without an id, and continues when the registry returns one', async (t) => {
  const port = await freePort();
  const framed = new FramedRecords(new SchemaRegistry({ url: `http://user:secret@127.0.0.1:${port}` }), topicOf);
  const blocks = [block(record('block', '{}'))];
  const away = await framed.of(blocks).catch((error: Error) => error);
  t.match(away, { code: 'SCHEMA_REGISTRY', message: `schema registry http://127.0.0.1:${port} cannot be reached` });
  t.notMatch((away as Error).message, /secret/);
  const server = await RegistryServer.start(t, 1, { port });
  const refusals = [
    [{ status: 401, body: '{"error_code":401,"message":"Unauthorized"}' }, /did not register .*: 401 Unauthorized/],
    [{ status: 200, body: '{}' }, /returned no schema id for tronicle\.block-value/],
    [{ status: 200, body: '{"id":4294967296}' }, /returned no schema id/],
    [{ status: 502, body: '<html>' }, /502 <html>/],
  ] as const;
  for (const [refusal, message] of refusals) {
    server.refusal = refusal;
    await t.rejects(framed.of(blocks), { code: 'SCHEMA_REGISTRY', message }, refusal.body);
  }
  for (const status of [409, 422]) {
    server.refusal = { status, body: `{"error_code":${status},"message":"Schema being registered is wrong"}` };
    const message = new RegExp(
      `rejects the JSON schema of tronicle.block-value: ${status} Schema being .*; change the`,
    );
    await t.rejects(framed.of(blocks), { code: 'SINK_REFUSED', message }, 'a retry cannot help');
  }
  server.refusal = undefined;
  const [made] = await framed.of(blocks);
  t.equal(hex(made?.records[0]?.payload as Buffer), '00000000017b7d');
});
