import type protobuf from 'protobufjs';
import { containerField, isOptional } from '../protobuf/event-types.js';
import { type FieldFact, fieldFacts, namedFacts } from './field-facts.js';

/** Form of a field in JSON and Avro. */
interface FieldForm {
  /** Field with the value. Differs from the described field if the message wraps an optional list or map. */
  readonly values: protobuf.Field;
  readonly fact: FieldFact;
  readonly canBeNull: boolean;
}

export function formOf(field: protobuf.Field): FieldForm {
  const fact = factOf(field);
  const container = isMessage(field.resolvedType) ? containerField(field.resolvedType) : undefined;
  const { canBeNull = isOptional(field) || container !== undefined } = fact;
  return { values: container ?? field, fact, canBeNull };
}

export function factOf({ name, type, parent }: protobuf.Field): FieldFact {
  return fieldFacts[`${parent?.name}.${name}`] ?? namedFacts[type]?.[name] ?? {};
}

export function isMessage(type: protobuf.Type | protobuf.Enum | null): type is protobuf.Type {
  return type !== null && 'fieldsArray' in type;
}

/** Returns the description of a field as one line; undefined if the field has no description. */
export function descriptionOf(text: string | null | undefined): string | undefined {
  return text ? text.replaceAll(/\s+/g, ' ') : undefined;
}
