import t from 'tap';
import { TRIGGER_FRAMES, TRIGGERS } from '../../../../../src/streams/event-kinds.js';
import { readEventTypes } from '../../../../../src/streams/records/protobuf/event-types.js';
import {
  fieldFacts,
  MEMBER_MESSAGES,
  namedFacts,
  nullMembers,
} from '../../../../../src/streams/records/schema/field-facts.js';
import { jsonSchemaOf } from '../../../../../src/streams/records/schema/json-schema.js';
import { jsonSchemaName } from '../../../../../src/streams/records/schema/schema-name.js';

const types = readEventTypes();
const fields = [...types.values()].flatMap(({ fieldsArray }) => fieldsArray);

t.test('every described field exists in the protobuf schema', async (t) => {
  for (const name of Object.keys(fieldFacts))
    t.ok(
      fields.some((field) => `${field.parent?.name}.${field.name}` === name),
      name,
    );
  for (const [type, facts] of Object.entries(namedFacts))
    for (const name of Object.keys(facts))
      t.ok(
        fields.some((field) => field.type === type && field.name === name),
        `${type} ${name}`,
      );
  for (const name of [...MEMBER_MESSAGES, ...Object.keys(nullMembers)]) t.ok(types.has(name), name);
});

t.test('each schema has a name, and allows no additional members', async (t) => {
  for (const trigger of TRIGGERS)
    t.match(jsonSchemaOf(trigger), {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: jsonSchemaName(trigger),
      title: trigger,
      type: 'object',
      additionalProperties: false,
      properties: { triggerName: { const: TRIGGER_FRAMES[trigger] }, timeStamp: { type: 'integer', format: 'int64' } },
    });
});

t.test('distinguishes null, omitted and mandatory members', async (t) => {
  const transfer = jsonSchemaOf('transfer');
  t.match(transfer, { properties: { from: { type: ['string', 'null'] }, to: { type: ['string', 'null'] } } });
  t.match(transfer, { properties: { amount: { type: 'string', pattern: '^[0-9]+$' } } });
  const { properties, required } = jsonSchemaOf('block') as { properties: object; required: readonly string[] };
  t.same(
    Object.keys(properties).filter((name) => !required.includes(name)),
    ['removed'],
  );
  t.match(jsonSchemaOf('permission'), {
    $defs: {
      Permissions: { properties: { owner: { anyOf: [{ $ref: '#/$defs/Permission' }, { type: 'null' }] } } },
      Permission: { required: [] },
    },
  });
});

t.test('describes maps by their values', async (t) => {
  t.match(jsonSchemaOf('transaction'), {
    properties: {
      extMap: {
        type: ['object', 'null'],
        propertyNames: { enum: ['BANDWIDTH', 'ENERGY', 'TRON_POWER'] },
        additionalProperties: { type: 'integer' },
      },
    },
  });
  t.match(jsonSchemaOf('contractevent'), {
    properties: { topicMap: { type: 'object', additionalProperties: { type: 'string' } }, abi: { type: 'null' } },
  });
});
