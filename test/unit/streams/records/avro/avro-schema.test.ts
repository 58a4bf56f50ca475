import avsc from 'avsc';
import t from 'tap';
import { TRIGGERS } from '../../../../../src/streams/event-kinds.js';
import { type AvroRecord, avroSchemaOf } from '../../../../../src/streams/records/avro/avro-schema.js';
import { jsonSchemaOf } from '../../../../../src/streams/records/schema/json-schema.js';

interface JsonRecord {
  readonly properties: Readonly<Record<string, { readonly type?: string | readonly string[] }>>;
  readonly required: readonly string[];
}

t.test('is valid Avro, with the members of the JSON Schema in the same order', async (t) => {
  for (const trigger of TRIGGERS) {
    const schema = avroSchemaOf(trigger);
    t.doesNotThrow(() => avsc.Type.forSchema(schema as avsc.Schema), trigger);
    const { properties } = jsonSchemaOf(trigger) as unknown as JsonRecord;
    const names = Object.keys(properties).filter((name) => properties[name]?.type !== 'null');
    t.same(
      schema.fields.map(({ name }) => name),
      names,
      trigger,
    );
  }
});

t.test('has a default of null for exactly the members that JSON may omit or set to null', async (t) => {
  for (const trigger of TRIGGERS) {
    const { properties, required } = jsonSchemaOf(trigger) as unknown as JsonRecord;
    for (const { name, type, default: fallback } of avroSchemaOf(trigger).fields) {
      const isOptional = !required.includes(name) || (properties[name]?.type?.includes('null') ?? false);
      t.equal(Array.isArray(type) && type[0] === 'null', isOptional, `${trigger} ${name}`);
      t.equal(fallback, isOptional ? null : undefined, `${trigger} ${name}`);
    }
  }
});

t.test('uses text for bytes and large amounts, and maps for objects with arbitrary keys', async (t) => {
  const typeOf = (schema: AvroRecord, name: string): unknown =>
    schema.fields.find((field) => field.name === name)?.type;
  const transfer = avroSchemaOf('transfer');
  t.match(transfer, { namespace: 'tronicle.events.v1', name: 'TransferEvent', doc: /one movement/ });
  t.equal(typeOf(transfer, 'amount'), 'string');
  t.equal(typeOf(transfer, 'blockHash'), 'string');
  t.equal(typeOf(transfer, 'blockNumber'), 'long');
  t.same(typeOf(transfer, 'decimals'), ['null', 'long']);
  const transaction = avroSchemaOf('transaction');
  t.same(typeOf(transaction, 'extMap'), ['null', { type: 'map', values: 'long' }]);
  t.match(typeOf(transaction, 'internalTransactionList'), [
    'null',
    { type: 'array', items: { type: 'record', name: 'InternalTransaction' } },
  ]);
});

t.test('defines each message once', async (t) => {
  const { fields } = avroSchemaOf('permission');
  const [before, after] = fields.filter(({ name }) => name === 'before' || name === 'after');
  t.match(before?.type, { type: 'record', name: 'Permissions' });
  t.equal(after?.type, 'tronicle.events.v1.Permissions');
});
