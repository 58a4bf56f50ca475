import type protobuf from 'protobufjs';
import { present } from '../../../primitives/assert.js';
import { onFirstUse } from '../../../primitives/on-first-use.js';
import type { EventTrigger } from '../../event-kinds.js';
import { EVENTS_PACKAGE, eventMessages, jsonNameOf, readEventTypes } from '../protobuf/event-types.js';
import { MEMBER_MESSAGES } from '../schema/field-facts.js';
import { descriptionOf, formOf, isMessage } from '../schema/field-form.js';

/** An Avro type: the name of a type, a definition, or a union. */
export type AvroType =
  | string
  | AvroRecord
  | { readonly type: 'array'; readonly items: AvroType }
  | { readonly type: 'map'; readonly values: AvroType }
  | readonly AvroType[];

export interface AvroRecord {
  readonly type: 'record';
  readonly name: string;
  readonly namespace: string;
  readonly doc?: string;
  readonly fields: readonly AvroField[];
}

interface AvroField {
  readonly name: string;
  readonly doc?: string;
  readonly type: AvroType;
  readonly default?: null;
}

/**
 * Returns the Avro schema of the records of a trigger. It has the fields of the JSON record, with the same names and
 * values. Bytes are hex text, and amounts of any size are decimal text. If the JSON record may omit a field, the type
 * of the field is nullable. Fields that are null in every JSON record are not in the schema.
 */
export function avroSchemaOf(trigger: EventTrigger): AvroRecord {
  const type = present(types().get(eventMessages[trigger]), 'every trigger has a message');
  return new AvroBuilder().definition(type);
}

const types = onFirstUse(readEventTypes);

/** Builds the schema of a message. Each nested message is defined once, at its first use. */
class AvroBuilder {
  private readonly defined = new Set<string>();

  definition(type: protobuf.Type): AvroRecord {
    this.defined.add(type.name);
    return {
      type: 'record',
      name: type.name,
      namespace: EVENTS_PACKAGE,
      ...documented(type.comment),
      fields: type.fieldsArray.map((field) => this.field(field)),
    };
  }

  private field(field: protobuf.Field): AvroField {
    const { values, fact, canBeNull } = formOf(field);
    const described = { name: jsonNameOf(field), ...documented(field.comment ?? fact.doc) };
    const type = this.values(values);
    if (!canBeNull && fact.canBeOmitted !== true) return { ...described, type };
    return { ...described, type: ['null', type], default: null };
  }

  /** Returns the type of a single value, a list, or a map. */
  private values(field: protobuf.Field): AvroType {
    const { repeated, resolvedType } = field;
    if (!repeated) return this.value(field);
    if (!isMessage(resolvedType) || !MEMBER_MESSAGES.has(resolvedType.name))
      return { type: 'array', items: this.value(field) };
    const [, value] = resolvedType.fieldsArray;
    return { type: 'map', values: this.value(present(value, 'a member has a value')) };
  }

  private value({ type, resolvedType, fullName }: protobuf.Field): AvroType {
    if (isMessage(resolvedType))
      return this.defined.has(resolvedType.name)
        ? `${EVENTS_PACKAGE}.${resolvedType.name}`
        : this.definition(resolvedType);
    switch (type) {
      case 'int64':
        return 'long';
      case 'bool':
        return 'boolean';
      case 'bytes':
      case 'string':
        return 'string';
      default:
        throw new TypeError(`${fullName}: no Avro form is known for the type ${type}`);
    }
  }
}

function documented(text: string | null | undefined): { readonly doc?: string } {
  const doc = descriptionOf(text);
  return doc === undefined ? {} : { doc };
}
