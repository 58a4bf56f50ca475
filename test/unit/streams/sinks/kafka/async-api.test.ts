import { readFileSync } from 'node:fs';
import specs from '@asyncapi/specs';
import { Ajv, type AnySchema } from 'ajv';
import t from 'tap';
import { LOG_TRIGGER_TOPIC, TRIGGERS } from '../../../../../src/streams/event-kinds.js';
import { avroSchemaOf } from '../../../../../src/streams/records/avro/avro-schema.js';
import { asyncApiDocument } from '../../../../../src/streams/sinks/kafka/async-api.js';
import { headerRows } from '../../../../../src/streams/sinks/kafka/record-headers.js';

interface Document {
  readonly asyncapi: string;
  readonly channels: Readonly<Record<string, { readonly address: string; readonly messages: object }>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly schema?: unknown }>> };
}

const document = asyncApiDocument() as unknown as Document;

t.test('is a valid AsyncAPI document', async (t) => {
  // Disables the validator's own draft-07 schema, because the published schema contains it.
  const validate = new Ajv({ strict: false, meta: false, validateSchema: false, validateFormats: false }).compile(
    specs.schemas['3.0.0'] as AnySchema,
  );
  t.equal(validate(document), true, JSON.stringify(validate.errors?.slice(0, 3)));
  t.equal(validate({ ...document, channels: { block: { address: 1 } } }), false);
});

t.test('has a channel for each topic, with all formats', async (t) => {
  t.same(Object.keys(document.channels).sort(), [...TRIGGERS, LOG_TRIGGER_TOPIC].sort());
  for (const trigger of TRIGGERS) {
    t.equal(document.channels[trigger]?.address, `{prefix}.${trigger}`);
    t.same(Object.keys(document.channels[trigger]?.messages ?? {}), [
      `${trigger}.json`,
      `${trigger}.protobuf`,
      `${trigger}.avro`,
    ]);
  }
});

t.test('resolves every reference', async (t) => {
  const ajv = new Ajv({ strict: false, formats: { int64: true } }).addSchema(document, 'document');
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"(#[^"]+)"/g)].map(([, reference]) => reference!);
  t.ok(references.length > 100);
  for (const reference of new Set(references)) t.ok(ajv.getSchema(`document${reference}`), reference);
});

t.test('contains the protobuf schema', async (t) => {
  const file = new URL('../../../../../proto/tronicle/events/v1/events.proto', import.meta.url);
  t.equal(document.components.schemas['events']?.schema, readFileSync(file, 'utf8'));
});

t.test('contains the Avro schema of each trigger', async (t) => {
  for (const trigger of TRIGGERS)
    t.same(document.components.schemas[`${trigger}.avro`]?.schema, avroSchemaOf(trigger), trigger);
});

t.test('describes the headers that the page of the consumers lists', async (t) => {
  const page = readFileSync(new URL('../../../../../deploy/consumers/README.md', import.meta.url), 'utf8');
  const table = /^\| header \|.*\n(?:\|.*\n)+/m.exec(page)?.[0] ?? '';
  const listed = [...table.matchAll(/^\| ((?:`[\w-]+`(?:, )?)+) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!),
  );
  t.same(listed.sort(), [...headerRows.map(({ name }) => name), 'content-type', 'schema'].sort());
});
