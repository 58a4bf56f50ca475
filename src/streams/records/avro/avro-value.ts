import avsc from 'avsc';
import { toHex } from '../../../primitives/bytes.js';
import type { EventTrigger } from '../../event-kinds.js';
import type { EncodedEvent } from '../event-record.js';
import { type EventObject, type EventValue, PrintedJson } from '../event-value.js';
import { eventMessages, fullMessageName } from '../protobuf/event-types.js';
import { readPrinted } from '../protobuf/read-printed.js';
import { type AvroRecord, type AvroType, avroSchemaOf } from './avro-schema.js';

/**
 * Encodes an event in Avro, with the schema of {@link avroSchemaOf}.
 * @throws {Error} the event does not match the schema
 */
export function toAvroValue(trigger: EventTrigger, event: EventObject): EncodedEvent {
  const { schema, fields, type } = encoderOf(trigger);
  return { schema, payload: type.toBuffer(recordValue(event, fields)) };
}

interface Encoder extends Pick<EncodedEvent, 'schema'> {
  readonly fields: FieldsByName;
  readonly type: avsc.Type;
}

/** Fields of a record by name. If a field contains a record, the value is the fields of that record. */
interface FieldsByName extends ReadonlyMap<string, FieldsByName | undefined> {}

/** Cached encoders, by name of the protobuf message. Several triggers have the same message. */
const encoders = new Map<string, Encoder>();

function encoderOf(trigger: EventTrigger): Encoder {
  const message = eventMessages[trigger];
  const known = encoders.get(message);
  if (known !== undefined) return known;
  const record = avroSchemaOf(trigger);
  const made = {
    schema: { format: 'avro', name: fullMessageName(message) },
    fields: fieldsOf(record, new Map()),
    // Cast: the library's type of schemas has only mutable lists.
    type: avsc.Type.forSchema(record as avsc.Schema, { registry: { long: exactLong() } }),
  } as const;
  encoders.set(message, made);
  return made;
}

/**
 * Returns the type of 64-bit integers. The library's own type rounds integers above 2^53. An integer of an event is a
 * bigint or a safe number.
 */
function exactLong(): avsc.Type {
  const bytes = Buffer.alloc(8);
  return avsc.types.LongType.__with({
    isValid: (value: unknown) => typeof value === 'bigint' || Number.isSafeInteger(value),
    // All calls share the buffer, because the library copies the bytes before the next call.
    toBuffer: (value: bigint | number) => {
      bytes.writeBigInt64LE(BigInt(value));
      return bytes;
    },
    fromBuffer: (read: Buffer) => read.readBigInt64LE(),
    fromJSON: BigInt,
    toJSON: String,
    compare: (a: bigint, b: bigint) => (a < b ? -1 : Number(a > b)),
  });
}

function fieldsOf(record: AvroRecord, defined: Map<string, FieldsByName>): FieldsByName {
  const fields = new Map<string, FieldsByName | undefined>();
  defined.set(`${record.namespace}.${record.name}`, fields);
  for (const { name, type } of record.fields) fields.set(name, recordIn(type, defined));
  return fields;
}

/** Returns the fields of the record inside a type (union, list or map). Undefined if the type contains no record. */
function recordIn(type: AvroType, defined: Map<string, FieldsByName>): FieldsByName | undefined {
  if (typeof type === 'string') return defined.get(type);
  if (!('type' in type)) return type.map((one) => recordIn(one, defined)).find((fields) => fields !== undefined);
  if (type.type === 'record') return fieldsOf(type, defined);
  return recordIn(type.type === 'array' ? type.items : type.values, defined);
}

/** Returns a value in the form of the library: hex for bytes, and objects for maps. */
function plainValue(value: EventValue, fields: FieldsByName | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return toHex(value);
  if (Array.isArray(value)) return value.map((item) => plainValue(item, fields));
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([name, item]) => [name, plainValue(item, fields)]));
  if (fields === undefined) return value;
  return recordValue(value instanceof PrintedJson ? readPrinted(value) : (value as EventObject), fields);
}

/**
 * Returns a record in the form of the library. The library writes the default for a field without a value.
 * @throws {TypeError} the schema has no field for a value; the library would silently omit such a value
 */
function recordValue(event: EventObject, fields: FieldsByName): object {
  const record: Record<string, unknown> = {};
  for (const name in event) {
    const value = event[name];
    if (value === undefined) continue;
    if (fields.has(name)) record[name] = plainValue(value, fields.get(name));
    else if (value !== null)
      throw new TypeError(`internal error: the Avro schema has no field for ${name}; add the field to events.proto`);
  }
  return record;
}
