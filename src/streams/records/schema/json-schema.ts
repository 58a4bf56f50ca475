import type protobuf from 'protobufjs';
import { present } from '../../../primitives/assert.js';
import { onFirstUse } from '../../../primitives/on-first-use.js';
import { type EventTrigger, TRIGGER_FRAMES, TRIGGERS } from '../../event-kinds.js';
import { eventMessages, jsonNameOf, readEventTypes } from '../protobuf/event-types.js';
import { type FieldFact, MEMBER_MESSAGES, nullMembers } from './field-facts.js';
import { descriptionOf, factOf, formOf, isMessage } from './field-form.js';
import { jsonSchemaName } from './schema-name.js';

/** A JSON Schema, or a part of one. */
export interface JsonSchemaObject {
  readonly [keyword: string]: unknown;
}

/**
 * Returns the JSON Schema (draft 2020-12) of the records of a trigger. The schema describes every field and rejects
 * additional fields. Integers have up to 64 bits.
 */
export function jsonSchemaOf(trigger: EventTrigger): JsonSchemaObject {
  const { schema, parts } = recordSchema(trigger, '#/$defs/');
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: jsonSchemaName(trigger),
    ...schema,
    ...(Object.keys(parts).length > 0 && { $defs: parts }),
  };
}

/**
 * Returns the schemas of all triggers and of the messages in them, by name.
 * @param reference prefix of references to the messages
 */
export function recordSchemas(reference: string): Readonly<Record<string, JsonSchemaObject>> {
  const schemas: Record<string, JsonSchemaObject> = {};
  const all: Record<string, JsonSchemaObject> = {};
  for (const trigger of TRIGGERS) {
    const { schema, parts } = recordSchema(trigger, reference);
    schemas[trigger] = schema;
    Object.assign(all, parts);
  }
  return { ...schemas, ...all };
}

interface RecordSchema {
  readonly schema: JsonSchemaObject;
  /** Schemas of the messages in the record, by name. */
  readonly parts: Readonly<Record<string, JsonSchemaObject>>;
}

const types = onFirstUse(readEventTypes);

function recordSchema(trigger: EventTrigger, reference: string): RecordSchema {
  const builder = new SchemaBuilder(reference);
  const schema = builder.object(present(types().get(eventMessages[trigger]), 'every trigger has a message'));
  const { properties, ...others } = schema as { properties: Record<string, JsonSchemaObject> };
  const triggerName = { ...properties['triggerName'], const: TRIGGER_FRAMES[trigger] };
  return {
    schema: { title: trigger, ...others, properties: { ...properties, triggerName } },
    parts: Object.fromEntries(builder.parts),
  };
}

/** Builds the schemas of a message and of the messages in it. */
class SchemaBuilder {
  readonly parts = new Map<string, JsonSchemaObject>();
  private readonly reference: string;

  constructor(reference: string) {
    this.reference = reference;
  }

  object(type: protobuf.Type): JsonSchemaObject {
    const properties: Record<string, JsonSchemaObject> = {};
    const required: string[] = [];
    for (const field of type.fieldsArray) {
      const name = jsonNameOf(field);
      properties[name] = this.member(field);
      if (factOf(field).canBeOmitted !== true) required.push(name);
    }
    for (const name of nullMembers[type.name] ?? []) {
      properties[name] = { type: 'null', description: 'Always null, as in java-tron.' };
      required.push(name);
    }
    return { ...described(type.comment), type: 'object', properties, required, additionalProperties: false };
  }

  private member(field: protobuf.Field): JsonSchemaObject {
    const { values, fact, canBeNull } = formOf(field);
    const schema = this.values(values, fact);
    return { ...described(field.comment ?? fact.doc), ...(canBeNull ? orNull(schema) : schema) };
  }

  /** Returns the schema of a single value, of a list, or of a map (an object with arbitrary keys). */
  private values(field: protobuf.Field, fact: FieldFact): JsonSchemaObject {
    const { repeated, resolvedType } = field;
    if (!repeated) return this.value(field, fact);
    if (!isMessage(resolvedType) || !MEMBER_MESSAGES.has(resolvedType.name))
      return { type: 'array', items: this.value(field, fact) };
    const [name, value] = resolvedType.fieldsArray;
    const names = factOf(present(name, 'a member has a name')).values;
    return {
      type: 'object',
      ...(names && { propertyNames: { enum: names } }),
      additionalProperties: this.member(present(value, 'a member has a value')),
    };
  }

  private value(
    { type, resolvedType, fullName }: protobuf.Field,
    { values, pattern, bytes }: FieldFact,
  ): JsonSchemaObject {
    if (isMessage(resolvedType)) {
      // A message can contain itself, so its name is registered before its schema is built.
      if (!this.parts.has(resolvedType.name)) {
        this.parts.set(resolvedType.name, {});
        this.parts.set(resolvedType.name, this.object(resolvedType));
      }
      return { $ref: `${this.reference}${resolvedType.name}` };
    }
    switch (type) {
      case 'int64':
        return { type: 'integer', format: 'int64' };
      case 'bool':
        return { type: 'boolean' };
      case 'bytes':
        return { type: 'string', pattern: bytes === undefined ? '^(?:[0-9a-f]{2})*$' : `^[0-9a-f]{${2 * bytes}}$` };
      case 'string':
        return { type: 'string', ...(values && { enum: values }), ...(pattern !== undefined && { pattern }) };
      default:
        throw new TypeError(`${fullName}: no JSON form is known for the type ${type}`);
    }
  }
}

function orNull(schema: JsonSchemaObject): JsonSchemaObject {
  const { type, enum: values } = schema as { type?: string; enum?: readonly string[] };
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) };
}

function described(text: string | null | undefined): JsonSchemaObject {
  const description = descriptionOf(text);
  return description === undefined ? {} : { description };
}
