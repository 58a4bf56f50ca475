import type { FieldDescriptor, MessageType } from '../../codec/descriptor.js';
import * as messages from '../../codec/generated/messages.js';
import { present } from '../../primitives/assert.js';

/** A schema of JSON Schema 2020-12, which OpenAPI 3.1 uses. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const types = new Map<string, MessageType<object>>();
for (const [name, one] of Object.entries(messages)) if (isMessage(one)) types.set(name, one);
/** Names of message types. The names of the exports are used, because the build may rename the classes. */
const names = new Map([...types].map(([name, type]) => [type, name]));

const HEX: JsonSchema = { type: 'string', description: 'Hex' };

/** JSON fields that the protobuf message does not have, or has with a different type. Reference: Util. */
const PRINTED_FIELDS: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>> = {
  Any: {
    value: {
      type: ['object', 'null', 'string'],
      description:
        'The contract as an object; null for a contract type that no release executes; hex in a transaction that failed',
    },
  },
  Block: { blockID: HEX },
  Return: { txid: { ...HEX, description: 'Hex; only in the response of broadcasttransaction' } },
  Transaction: {
    txID: HEX,
    raw_data_hex: HEX,
    visible: { type: 'boolean', description: 'Only in a new transaction: form of its addresses and texts' },
    contract_address: { ...HEX, description: 'Hex; only if the transaction creates a contract' },
  },
};

/** Responses whose JSON form differs from the protobuf message. */
const PRINTED_MESSAGES: Readonly<Record<string, { readonly needs: string; readonly schema: JsonSchema }>> = {
  TransactionInfoList: {
    needs: 'TransactionInfo',
    schema: {
      anyOf: [
        { type: 'array', items: { $ref: '#/components/schemas/TransactionInfo' } },
        { type: 'object', maxProperties: 0, description: 'The block does not exist' },
      ],
    },
  },
  Receipt: {
    needs: 'ResourceReceipt',
    schema: { type: 'object', properties: { Receipt: { $ref: '#/components/schemas/ResourceReceipt' } } },
  },
};

/**
 * Returns the JSON schemas of messages by name. Includes the messages in their fields. A message with an unknown name
 * has the schema `object`.
 */
export function messageSchemas(printed: readonly string[]): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  const add = (name: string, type: MessageType<object> | undefined): void => {
    if (schemas[name] !== undefined) return;
    const special = PRINTED_MESSAGES[name];
    if (special !== undefined) {
      schemas[name] = special.schema;
      add(special.needs, types.get(special.needs));
      return;
    }
    if (type === undefined) {
      schemas[name] = { type: 'object' };
      return;
    }
    const properties: Record<string, JsonSchema> = {};
    schemas[name] = { type: 'object', properties };
    for (const field of type.$fields) {
      const inner = field.message?.();
      const innerName = inner && nameOf(inner);
      properties[field.name] = schemaOf(field, innerName);
      if (innerName !== undefined) add(innerName, inner);
    }
    Object.assign(properties, PRINTED_FIELDS[name]);
  };
  for (const name of printed) add(name, types.get(name));
  return schemas;
}

function nameOf(type: MessageType<object>): string {
  return present(names.get(type), 'every message is exported');
}

/** Returns true for a message type. The module of message types also exports enumerations. */
function isMessage(one: object): one is MessageType<object> {
  return typeof one === 'function' && '$fields' in one;
}

function schemaOf(field: FieldDescriptor, inner: string | undefined): JsonSchema {
  const single = singleSchema(field, inner);
  if (field.key !== undefined) {
    const key = { type: field.key === 'string' ? 'string' : 'integer' };
    return { type: 'array', items: { type: 'object', properties: { key, value: single } } };
  }
  return field.repeated === true ? { type: 'array', items: single } : single;
}

function singleSchema({ kind, values }: FieldDescriptor, inner: string | undefined): JsonSchema {
  if (inner !== undefined) return { $ref: `#/components/schemas/${inner}` };
  if (kind === 'int64' || kind === 'int32') return { type: 'integer', format: kind };
  if (kind === 'bool') return { type: 'boolean' };
  if (kind === 'double') return { type: 'number' };
  if (values !== undefined) return { type: 'string', enum: Object.keys(values) };
  if (kind === 'bytes')
    return {
      type: 'string',
      description: 'Hex. If `visible` is true, addresses are Base58Check and texts are plain text',
    };
  return { type: 'string' };
}
