import type { FieldDescriptor, MessageType } from '../../codec/descriptor.js';
import * as messages from '../../codec/generated/messages.js';

/** A schema of JSON Schema 2020-12, which OpenAPI 3.1 uses. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const types = new Map<string, MessageType<object>>();
for (const [name, one] of Object.entries(messages)) if (isMessage(one)) types.set(name, one);

/**
 * Returns the JSON schemas of messages by name. Includes the messages in their fields. A message with an unknown name
 * has the schema `object`.
 */
export function messageSchemas(names: readonly string[]): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  const add = (name: string, type: MessageType<object> | undefined): void => {
    if (schemas[name] !== undefined) return;
    if (type === undefined) {
      schemas[name] = { type: 'object' };
      return;
    }
    const properties: Record<string, JsonSchema> = {};
    schemas[name] = { type: 'object', properties };
    for (const field of type.$fields) {
      const inner = field.message?.();
      properties[field.name] = schemaOf(field, inner?.name);
      if (inner !== undefined) add(inner.name, inner);
    }
  };
  for (const name of names) add(name, types.get(name));
  return schemas;
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
