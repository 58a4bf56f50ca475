import { readFileSync } from 'node:fs';
import { type EventTrigger, LOG_TRIGGER_TOPIC, TRANSFER_TRIGGER, TRIGGERS, type Trigger } from '../../event-kinds.js';
import { avroSchemaOf } from '../../records/avro/avro-schema.js';
import { EVENTS_PROTO, eventMessages, fullMessageName } from '../../records/protobuf/event-types.js';
import { type JsonSchemaObject, recordSchemas } from '../../records/schema/json-schema.js';
import { jsonSchemaName } from '../../records/schema/schema-name.js';
import { CONTENT_TYPES, FORMAT_HEADERS, headerRows } from './record-headers.js';

const BINDING_VERSION = '0.5.0';
const SCHEMAS = '#/components/schemas/';
/** Name of the protobuf schema in the document. */
const EVENTS = 'events';
/** Format of Avro schemas. AsyncAPI 3.0 has no later version of Avro. */
const AVRO_FORMAT = 'application/vnd.apache.avro+json;version=1.9.0';

/**
 * Returns the AsyncAPI 3 document of all topics of Kafka sinks. It describes channels, record keys, headers and all
 * formats of values.
 */
export function asyncApiDocument(): JsonSchemaObject {
  const triggers: readonly Trigger[] = [...TRIGGERS, LOG_TRIGGER_TOPIC];
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Records of Tronicle',
      version: '1.0.0',
      description:
        'Topics of a Kafka sink (`type = kafka`). The option `payload` of the sink selects JSON, protobuf or Avro. ' +
        'Read the topics with `isolation.level = read_committed`. If records have the header `parts`, join the values of these records before decoding. The timestamp of a ' +
        'record is the time of its block.',
    },
    defaultContentType: CONTENT_TYPES.json,
    channels: Object.fromEntries(triggers.map((trigger) => [trigger, channelOf(trigger)])),
    operations: Object.fromEntries(
      triggers.map((trigger) => [trigger, { action: 'send', channel: { $ref: `#/channels/${trigger}` } }]),
    ),
    components: {
      parameters: { prefix: { description: 'Option `prefix` of the sink.', default: 'tronicle' } },
      messages: Object.assign(
        { [LOG_TRIGGER_TOPIC]: logMessage() },
        ...TRIGGERS.map((trigger) => ({
          [`${trigger}.json`]: jsonMessage(trigger),
          [`${trigger}.protobuf`]: protobufMessage(trigger),
          [avroName(trigger)]: avroMessage(trigger),
        })),
      ),
      schemas: {
        ...recordSchemas(SCHEMAS),
        ...Object.fromEntries(
          headerRows.map(({ name, doc, pattern }) => [
            headerSchema(name),
            { type: 'string', pattern, description: doc },
          ]),
        ),
        [EVENTS]: {
          schemaFormat: 'application/vnd.google.protobuf;version=3',
          schema: readFileSync(EVENTS_PROTO, 'utf8'),
        },
        ...Object.fromEntries(
          TRIGGERS.map((trigger) => [avroName(trigger), { schemaFormat: AVRO_FORMAT, schema: avroSchemaOf(trigger) }]),
        ),
      },
    },
  };
}

function channelOf(trigger: Trigger): JsonSchemaObject {
  const names =
    trigger === LOG_TRIGGER_TOPIC ? [trigger] : [`${trigger}.json`, `${trigger}.protobuf`, avroName(trigger)];
  return {
    address: `{prefix}.${trigger}`,
    description:
      trigger === LOG_TRIGGER_TOPIC
        ? 'The log with its row changes, for read replicas. Only one node can write the topic.'
        : `Records of the trigger \`${trigger}\`. The option \`topicNames\` of the sink replaces the address.`,
    parameters: { prefix: { $ref: '#/components/parameters/prefix' } },
    messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
    bindings: {
      kafka: {
        // Configuration with which the node creates topics.
        topicConfiguration: { 'cleanup.policy': ['delete'], 'retention.ms': -1 },
        bindingVersion: BINDING_VERSION,
      },
    },
  };
}

function jsonMessage(trigger: EventTrigger): JsonSchemaObject {
  return {
    ...messageOf(trigger),
    contentType: CONTENT_TYPES.json,
    headers: headersOf(CONTENT_TYPES.json, jsonSchemaName(trigger)),
    payload: { $ref: `${SCHEMAS}${trigger}` },
  };
}

function protobufMessage(trigger: EventTrigger): JsonSchemaObject {
  const name = fullMessageName(eventMessages[trigger]);
  return {
    ...messageOf(trigger),
    summary: `Message \`${name}\`.`,
    contentType: CONTENT_TYPES.protobuf,
    headers: headersOf(CONTENT_TYPES.protobuf, name),
    payload: { $ref: `${SCHEMAS}${EVENTS}` },
  };
}

function avroMessage(trigger: EventTrigger): JsonSchemaObject {
  return {
    ...messageOf(trigger),
    summary: 'Avro record. Before it, the value has a zero byte and the id of the schema in four bytes.',
    contentType: CONTENT_TYPES.avro,
    headers: headersOf(CONTENT_TYPES.avro, fullMessageName(eventMessages[trigger])),
    payload: { $ref: `${SCHEMAS}${avroName(trigger)}` },
  };
}

/** Returns the name of the Avro message of a trigger, and of its schema. */
function avroName(trigger: EventTrigger): string {
  return `${trigger}.avro`;
}

function logMessage(): JsonSchemaObject {
  return {
    ...messageOf(LOG_TRIGGER_TOPIC),
    contentType: 'application/octet-stream',
    headers: headersOf(),
    payload: { type: 'string', format: 'binary', description: 'A log entry in the format of the log.' },
  };
}

function messageOf(trigger: Trigger): JsonSchemaObject {
  const key = { type: 'string', description: keyOf(trigger) };
  return { name: trigger, bindings: { kafka: { key, bindingVersion: BINDING_VERSION } } };
}

/** Returns the schema of the headers. Without `contentType`, it has no headers that describe the value. */
function headersOf(contentType?: string, schema?: string): JsonSchemaObject {
  const { contentType: typeName, schema: schemaName } = FORMAT_HEADERS;
  const rows = headerRows.map(({ name }) => [name, { $ref: `${SCHEMAS}${headerSchema(name)}` }]);
  const required = headerRows.filter(({ isOptional }) => isOptional !== true).map(({ name }) => name);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(rows),
      ...(contentType !== undefined && {
        [typeName]: { type: 'string', const: contentType, description: 'Format of the value.' },
        [schemaName]: { type: 'string', const: schema, description: 'Schema of the value.' },
      }),
    },
    required: [...required, ...(contentType === undefined ? [] : [typeName, schemaName])],
    additionalProperties: false,
  };
}

/** Returns the name of the schema of a header. */
function headerSchema(name: string): string {
  return `header.${name}`;
}

/** Returns the description of a record key. */
function keyOf(trigger: Trigger): string {
  switch (trigger) {
    case 'block':
    case 'solidity':
    case LOG_TRIGGER_TOPIC:
      return 'Id of the block, in hex.';
    case 'transaction':
      return 'Id of the transaction; with `key = contract` the address of the called contract, with `key = account` that of the sender.';
    case 'contractevent':
    case 'contractlog':
    case 'solidityevent':
    case 'soliditylog':
      return 'Id of the transaction; with `key = contract` the address of the contract, with `key = account` that of the sender.';
    case TRANSFER_TRIGGER:
      return 'Recipient, sender or token, by the option `transfer` of the sink. Without that account, the other one, or the token.';
    default:
      return 'Id of the block; with `key = contract` or `key = account` the address of the account.';
  }
}
