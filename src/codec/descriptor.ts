import { present } from '../primitives/assert.js';
import type { Reader } from './reader.js';
import { FIXED64, LENGTH_DELIMITED, VARINT } from './wire-types.js';
import type { Writer } from './writer.js';

/** One field of a message: enough to print and read it as JSON, or to walk any message without generated code. */
export interface FieldDescriptor {
  /** Spelling of the schema, as JSON shows it. */
  readonly name: string;
  /** Property of the class. */
  readonly prop: string;
  readonly id: number;
  readonly kind: 'int64' | 'int32' | 'bool' | 'double' | 'string' | 'bytes' | 'enum' | 'message';
  readonly repeated?: true;
  /** Type of the keys, for a map field. */
  readonly key?: 'string' | 'int64';
  readonly message?: () => MessageType<object>;
  readonly values?: Readonly<Record<string, number>>;
}

/**
 * What stands before each value of a field: its number × 8 and its wire type. Lists of numbers may be packed, and then
 * have another one.
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

/** Type of the messages in a field, or in the values of a map. */
export function messageTypeOf({ message }: FieldDescriptor): MessageType<object> {
  return present(message, 'a field of messages names their type')();
}

/** Numbers of an enumeration's names. */
export function enumValuesOf({ values }: FieldDescriptor): Readonly<Record<string, number>> {
  return present(values, 'a field of an enumeration has its names');
}

/** What bytes can be read into; those who need parts of a message alone write one by hand. */
export interface ReadableType<T> {
  new (): T;
  read(reader: Reader, end: number, message: T): T;
}

/** The static side of a generated message class. */
export interface MessageType<T> extends ReadableType<T> {
  readonly $name: string;
  readonly $fields: readonly FieldDescriptor[];
  // Method syntax on purpose: it is compared bivariantly, so that a class of one message is a MessageType<object>.
  write(message: T, writer: Writer): void;
  decode(bytes: Uint8Array): T;
  encode(message: T): Uint8Array;
}

const messagesByName = new Map<string, MessageType<object>>();

export function registerMessage<T extends object>(type: MessageType<T>): void {
  messagesByName.set(type.$name, type as MessageType<object>);
}

/** The class of a full name such as `protocol.Account`; undefined when the schema has none. */
export function messageOf(fullName: string): MessageType<object> | undefined {
  return messagesByName.get(fullName);
}
