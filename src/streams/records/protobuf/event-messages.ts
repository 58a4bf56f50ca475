import type protobuf from 'protobufjs';
import { Writer } from '../../../codec/writer.js';
import { present } from '../../../primitives/assert.js';
import type { EventTrigger } from '../../event-kinds.js';
import type { EncodedEvent, PayloadSchema } from '../event-record.js';
import { type EventMap, type EventObject, type EventValue, PrintedJson } from '../event-value.js';
import {
  containerField,
  eventMessages,
  fullMessageName,
  isOptional,
  jsonNameOf,
  readEventTypes,
} from './event-types.js';
import { readPrinted } from './read-printed.js';

/**
 * Encodes an event as protobuf, with the field names of `proto/tronicle/events/v1/events.proto`. Omits fields that are
 * null.
 * @throws {TypeError} the event does not match the schema
 */
export function toEventMessage(trigger: EventTrigger, event: EventObject): EncodedEvent {
  const name = eventMessages[trigger];
  const shape = shapeOf(name);
  return { schema: shape.schema, payload: Writer.bytesOf((writer) => shape.write(event, writer)) };
}

/** Maps the fields of an object to the fields of a protobuf message. */
class MessageShape {
  readonly schema: PayloadSchema;
  private readonly type: protobuf.Type;
  private fields: readonly FieldShape[] = [];
  /** The single field of a wrapper message for an optional list or map; undefined for other messages. */
  container: FieldShape | undefined;

  constructor(type: protobuf.Type) {
    this.schema = { format: 'protobuf', name: fullMessageName(type.name) };
    this.type = type;
  }

  /**
   * Resolves the field types. Must be called after all shapes were created, because messages may contain each other.
   */
  resolve(shapes: ReadonlyMap<string, MessageShape>): void {
    const fields = [...this.type.fieldsArray].sort((a, b) => a.id - b.id);
    this.fields = fields.map((field) => new FieldShape(field, shapes.get(field.resolvedType?.name ?? '')));
    this.container = containerField(this.type) === undefined ? undefined : this.fields[0];
  }

  write(event: EventObject, writer: Writer): void {
    let unknown = 0;
    for (const name in event) if (event[name] !== undefined) unknown++;
    for (const field of this.fields) {
      const value = event[field.name];
      if (value === undefined) continue;
      unknown--;
      if (value !== null) field.write(value, writer);
    }
    if (unknown > 0) this.refuseUnknown(event);
  }

  /** Writes one field of a map as a message with name and value. */
  writeMember(name: string, value: EventValue, writer: Writer): void {
    const [first, second] = this.fields;
    first?.write(name, writer);
    if (value !== null) second?.write(value, writer);
  }

  /**
   * Checks that the message has a field for each value of the event. Values that are null need no field.
   * @throws {TypeError} the message lacks a field
   */
  private refuseUnknown(event: EventObject): void {
    const names = new Set(this.fields.map(({ name }) => name));
    for (const [name, value] of Object.entries(event)) {
      if (value !== null && value !== undefined && !names.has(name))
        throw new TypeError(
          `internal error: message ${this.type.name} has no field for ${name}; add the field to events.proto`,
        );
    }
  }
}

class FieldShape {
  /** JSON name of the field. */
  readonly name: string;
  private readonly field: protobuf.Field;
  private readonly message: MessageShape | undefined;
  private readonly isOptional: boolean;

  constructor(field: protobuf.Field, message: MessageShape | undefined) {
    this.field = field;
    this.message = message;
    this.name = jsonNameOf(field);
    this.isOptional = isOptional(field);
  }

  write(value: EventValue, writer: Writer): void {
    if (!this.field.repeated) this.writeOne(value, writer);
    else if (Array.isArray(value)) for (const item of value) this.writeOne(item, writer);
    else if (value instanceof Map && this.message !== undefined) this.writeMembers(value, this.message, writer);
    else throw this.error(value);
  }

  private writeMembers(members: EventMap, message: MessageShape, writer: Writer): void {
    for (const [name, value] of members) {
      writer.begin(this.tag(2));
      message.writeMember(name, value, writer);
      writer.end();
    }
  }

  private writeOne(value: EventValue, writer: Writer): void {
    const { message } = this;
    const { type, repeated } = this.field;
    // A default value is written only to optional fields and lists. In other fields, a default value is equal to a
    // missing value.
    const isKept = this.isOptional || repeated;
    if (message !== undefined && typeof value === 'object' && value !== null) {
      writer.begin(this.tag(2));
      const { container } = message;
      if (container !== undefined) container.write(value, writer);
      else message.write(objectOf(value) ?? refuse(this.error(value)), writer);
      writer.end();
    } else if (type === 'int64' && (typeof value === 'bigint' || typeof value === 'number')) {
      if (isKept || value) writer.int64(this.tag(0), BigInt(value));
    } else if (type === 'bool' && typeof value === 'boolean') {
      if (isKept || value) writer.bool(this.tag(0), value);
    } else if (type === 'string' && typeof value === 'string') {
      if (isKept || value !== '') writer.string(this.tag(2), value);
    } else if (type === 'bytes' && value instanceof Uint8Array) {
      if (isKept || value.length > 0) writer.bytes(this.tag(2), value);
    } else if (type === 'bytes' && typeof value === 'string' && HEX.test(value)) {
      if (isKept || value !== '') writer.bytes(this.tag(2), Buffer.from(value, 'hex'));
    } else throw this.error(value);
  }

  private tag(wireType: number): number {
    return this.field.id * 8 + wireType;
  }

  private error(value: EventValue): TypeError {
    return new TypeError(`${this.field.fullName}: expected ${this.field.type}, got ${typeof value}`);
  }
}

/** Returns an object with fields, parsed if it is JSON text; undefined for lists, maps and bytes. */
function objectOf(value: Exclude<EventValue, null> & object): EventObject | undefined {
  if (value instanceof PrintedJson) return readPrinted(value);
  return Array.isArray(value) || value instanceof Map || value instanceof Uint8Array
    ? undefined
    : (value as EventObject);
}

function refuse(error: Error): never {
  throw error;
}

const HEX = /^(?:[0-9a-f]{2})*$/;

let shapes: ReadonlyMap<string, MessageShape> | undefined;

/** Returns the shape of a message. Loads the schema on first use. */
function shapeOf(name: string): MessageShape {
  shapes ??= readShapes();
  return present(shapes.get(name), 'the schema has a message for every event');
}

function readShapes(): ReadonlyMap<string, MessageShape> {
  const shapes = new Map([...readEventTypes()].map(([name, type]) => [name, new MessageShape(type)]));
  for (const shape of shapes.values()) shape.resolve(shapes);
  return shapes;
}
