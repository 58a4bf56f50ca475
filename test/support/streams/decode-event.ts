import { fileURLToPath } from 'node:url';
import avsc from 'avsc';
import protobuf from 'protobufjs';

const file = fileURLToPath(new URL('../../../proto/tronicle/events/v1/events.proto', import.meta.url));
const root = new protobuf.Root().loadSync(file, { keepCase: true });
root.resolveAll();

/**
 * Decodes an event as a consumer would, with protobufjs instead of the node's own codec. In the result, numbers are
 * text, bytes are hex, and absent fields are null.
 */
export function decodeEvent(schema: string, bytes: Uint8Array): unknown {
  const type = root.lookupType(schema);
  return plain(type, type.decode(bytes));
}

function plain(type: protobuf.Type, message: protobuf.Message): unknown {
  const { fieldsArray } = type;
  const values = message as unknown as Record<string, unknown>;
  const members = fieldsArray.map((field) => [jsonName(field), readField(field, values)] as const);
  if (members.length === 1 && members[0]![0] === 'items') return members[0]![1];
  return Object.fromEntries(members);
}

function readField(field: protobuf.Field, values: Record<string, unknown>): unknown {
  const isOptional = field.options?.['proto3_optional'] === true || field.resolvedType instanceof protobuf.Type;
  if (field.repeated) {
    const items = (values[field.name] as unknown[]).map((item) => one(field, item));
    const { resolvedType } = field;
    return resolvedType instanceof protobuf.Type && PAIRS.has(resolvedType.name)
      ? Object.fromEntries(items.map((item) => Object.values(item as object) as [string, unknown]))
      : items;
  }
  if (isOptional && (!Object.hasOwn(values, field.name) || values[field.name] === null)) return null;
  return one(field, values[field.name]);
}

/** Messages that represent a map (an object with arbitrary keys). They are decoded as lists of name and value. */
const PAIRS = new Set(['TokenAmount', 'EventParameter']);

function one(field: protobuf.Field, value: unknown): unknown {
  if (field.resolvedType instanceof protobuf.Type) return plain(field.resolvedType, value as protobuf.Message);
  if (field.type === 'int64') return String(value);
  if (field.type === 'bytes') return Buffer.from(value as Uint8Array).toString('hex');
  return value;
}

function jsonName(field: protobuf.Field): string {
  const given = field.options?.['json_name'] as string | undefined;
  return given ?? field.name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Parses a JSON payload into the format of {@link decodeEvent}. Numbers become text, so that they are not rounded. */
export function jsonEvent(payload: string): unknown {
  return JSON.parse(payload.replace(/"(?:[^"\\]|\\.)*"|-?\d+/g, (token) => (token[0] === '"' ? token : `"${token}"`)));
}

/**
 * Returns the differences between a message and its JSON form, field by field. A field that is null in JSON may be
 * absent in the message.
 */
export function differences(json: unknown, message: unknown, path = ''): string[] {
  // The JSON of the wallet interfaces omits these fields if they are empty.
  if (json === undefined && Array.isArray(message) && message.length === 0) return [];
  if (json === null || json === undefined || typeof json !== 'object' || message === null)
    return (json ?? null) === message ? [] : [`${path}: ${JSON.stringify(json)} is ${JSON.stringify(message)}`];
  const [a, b] = [json as Record<string, unknown>, message as Record<string, unknown>];
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].flatMap((name) =>
    (a[name] ?? null) === null && !Object.hasOwn(b, name) ? [] : differences(a[name], b[name], `${path}/${name}`),
  );
}

/** Decodes an event in Avro. In the result, numbers are text. */
export function decodeAvro(schema: object, bytes: Uint8Array): unknown {
  const long = avsc.types.LongType.__with({
    isValid: (value: unknown) => typeof value === 'string',
    fromBuffer: (read: Buffer) => String(read.readBigInt64LE()),
    toBuffer: String,
    fromJSON: String,
    toJSON: String,
    compare: () => 0,
  });
  const type = avroTypes.get(schema) ?? avsc.Type.forSchema(schema as avsc.Schema, { registry: { long } });
  avroTypes.set(schema, type);
  return JSON.parse(JSON.stringify(type.fromBuffer(Buffer.from(bytes))));
}

const avroTypes = new WeakMap<object, avsc.Type>();
