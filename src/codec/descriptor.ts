import { present } from '../primitives/assert.js';
import type { Reader } from './reader.js';
import { FIXED64, LENGTH_DELIMITED, VARINT } from './wire-types.js';
import type { Writer } from './writer.js';

/** Descriptor of one message field. Used by JSON conversion and by code that visits the fields of any message. */
export interface FieldDescriptor {
  /** Field name in the schema. JSON uses the same name. */
  readonly name: string;
  /** Name of the property in the generated class. */
  readonly prop: string;
  readonly id: number;
  readonly kind: 'int64' | 'int32' | 'bool' | 'double' | 'string' | 'bytes' | 'enum' | 'message';
  readonly repeated?: true;
  /** Type of the keys of a map field; undefined for other fields. */
  readonly key?: 'string' | 'int64';
  readonly message?: () => MessageType<object>;
  readonly values?: Readonly<Record<string, number>>;
}

/**
 * Returns the tag before each value of a field: field number × 8 + wire type. Not valid for packed lists of numbers,
 * whose tag has another wire type.
 */
export function tagOf({ id, kind }: FieldDescriptor): number {
  return id * 8 + WIRE_TYPES[kind];
}

const WIRE_TYPES: Readonly<Record<FieldDescriptor['kind'], number>> = {
  int64: VARINT,
  int32: VARINT,
  bool: VARINT,
  enum: VARINT,
  double: FIXED64,
  string: LENGTH_DELIMITED,
  bytes: LENGTH_DELIMITED,
  message: LENGTH_DELIMITED,
};

/**
 * Returns the message type of a message field, or of the values of a map.
 * @throws {AssertionError} the field has another kind
 */
export function messageTypeOf({ message }: FieldDescriptor): MessageType<object> {
  return present(message, 'a message field has a message type')();
}

/** Returns the numbers of an enum field by value name. @throws {AssertionError} the field has another kind */
export function enumValuesOf({ values }: FieldDescriptor): Readonly<Record<string, number>> {
  return present(values, 'an enum field has its names');
}

/** A type into which bytes can be decoded. An implementation may decode only the fields that a caller needs. */
export interface ReadableType<T> {
  new (): T;
  read(reader: Reader, end: number, message: T): T;
}

/** The static side of a generated message class. */
export interface MessageType<T> extends ReadableType<T> {
  readonly $name: string;
  readonly $fields: readonly FieldDescriptor[];
  // Method syntax is intended: TypeScript compares methods bivariantly, so each message class is a MessageType<object>.
  write(message: T, writer: Writer): void;
  /** Decodes a message with at most `fieldsMax` fields at all levels (default: no limit). @throws {ProtobufError} */
  decode(bytes: Uint8Array, fieldsMax?: number): T;
  encode(message: T): Uint8Array;
}

const messagesByName = new Map<string, MessageType<object>>();

export function registerMessage<T extends object>(type: MessageType<T>): void {
  messagesByName.set(type.$name, type as MessageType<object>);
}

/** Returns the class of a full message name such as `protocol.Account`; undefined if the schema has no such message. */
export function messageOf(fullName: string): MessageType<object> | undefined {
  return messagesByName.get(fullName);
}
