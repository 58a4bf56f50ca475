import type { FieldDescriptor, MessageType } from '../../codec/descriptor.js';
import { enumValuesOf, messageTypeOf } from '../../codec/descriptor.js';
import { ProtobufError } from '../../codec/reader.js';
import { LENGTH_DELIMITED } from '../../codec/wire-types.js';
import { Writer } from '../../codec/writer.js';
import { byteStringText } from '../../java-compat/byte-string.js';
import { bytesOfHex } from '../../java-compat/hex.js';
import { JavaError, nullPointer } from '../../java-compat/java-error.js';
import { present } from '../../primitives/assert.js';
import { utf8 } from '../../primitives/bytes.js';
import { javaError } from '../../state-transition/java-errors.js';
import { addressOfText } from '../address-text.js';
import { enumNames } from './enum-names.js';
import type { JsonRelease } from './json-release.js';
import type { AnyMessage } from './message-fields.js';
import { MessageTokens } from './message-tokens.js';
import { visibleForm } from './visible-fields.js';

export interface ReadOptions {
  readonly visible: boolean;
  readonly release: JsonRelease;
  /** Address prefix byte. */
  readonly addressPrefix: number;
}

/**
 * Reads a message from JSON as java-tron does. Skips unknown members. Reference: JsonFormat.merge.
 * @throws {JavaError} ParseException; for some unusual values, the exception that java-tron throws
 */
export function readMessage<T extends object>(text: string | null, type: MessageType<T>, options: ReadOptions): T {
  if (text === null) throw nullPointer();
  return new MessageReader(text, options).readAll(type);
}

/**
 * Maximum depth of nested messages and unknown members. A greater depth overflows the stack in java-tron, and no
 * handler reports this error.
 */
const DEPTH_MAX = 1000;

class MessageReader {
  private readonly tokens: MessageTokens;
  private readonly options: ReadOptions;
  private depth = 0;

  constructor(text: string, options: ReadOptions) {
    this.tokens = new MessageTokens(text);
    this.options = options;
  }

  readAll<T extends object>(type: MessageType<T>): T {
    const { tokens } = this;
    const message = new type();
    tokens.expect('{');
    while (!tokens.take('}')) {
      this.readFields(type as MessageType<object>, message);
      if (this.options.release.depthMax !== undefined) tokens.take(',');
    }
    if (!tokens.isAtEnd) {
      throw tokens.error(
        'Expecting the end of the stream, but there seems to be more data!  Check the input for a valid JSON format.',
      );
    }
    return message;
  }

  /**
   * Reads members separated by commas. In releases with a depth limit, reads only one member. The caller then skips the
   * comma.
   */
  private readFields(type: MessageType<object>, message: object): void {
    do this.readField(type, message);
    while (this.options.release.depthMax === undefined && this.tokens.take(','));
  }

  /**
   * Called at the start of a nested message, and of an object or array in an unknown member. Checks the nesting depth.
   * Reference: JsonFormat.Tokenizer.enterRecursion.
   */
  private enter(): void {
    const { depthMax } = this.options.release;
    if (depthMax !== undefined && this.depth >= depthMax) throw this.tokens.error('Hit recursion limit.');
    if (++this.depth > DEPTH_MAX) throw new JavaError('java.lang.StackOverflowError');
  }

  private readField(type: MessageType<object>, message: object): void {
    const { tokens } = this;
    const name = tokens.identifier();
    let field = type.$fields.find((candidate) => candidate.name === name);
    const isByNumber = field === undefined && /^[0-9]$/.test(name);
    if (isByNumber) field = type.$fields.find(({ id }) => id === Number(name));
    if (field === undefined) {
      this.skipValue();
      return;
    }
    tokens.expect(':');
    const found = field;
    this.readEach(() => this.readValue(type, message, found, isByNumber));
  }

  /** Reads one value or a list of values. Lists are accepted for every field. */
  private readEach(read: () => void): void {
    const { tokens } = this;
    if (!tokens.take('[')) {
      read();
      return;
    }
    while (!tokens.take(']')) {
      read();
      tokens.take(',');
    }
  }

  private readValue(type: MessageType<object>, message: object, field: FieldDescriptor, isByNumber: boolean): void {
    if (field.key !== undefined) {
      if (isByNumber) this.decodeEntry(type, message, field);
      else this.readEntry(type, message, field);
      return;
    }
    const value =
      field.kind === 'message'
        ? this.readObject(type, field, isByNumber)
        : this.readPrimitive(type.$name, field, field.kind);
    if (value === undefined) return;
    const target = message as AnyMessage;
    if (field.repeated === true) (target[field.prop] as unknown[]).push(value);
    else target[field.prop] = typeof target[field.prop] === 'number' ? Number(value) : value;
  }

  private readObject(owner: MessageType<object>, field: FieldDescriptor, isByNumber: boolean): object {
    const { tokens } = this;
    const type = messageTypeOf(field);
    if (isByNumber) return this.decodeObject(`${owner.$name}.${field.name}`, type, this.readBytes('', field));
    const message = new type();
    tokens.expect('{');
    this.enter();
    while (!tokens.take('}')) {
      if (tokens.isAtEnd) throw tokens.error('Expected "}".');
      this.readFields(type, message);
      tokens.take(',');
    }
    this.depth--;
    return message;
  }

  private decodeObject(name: string, type: MessageType<object>, bytes: Uint8Array, shown = bytes): object {
    try {
      return type.decode(bytes);
    } catch (error) {
      if (!(error instanceof ProtobufError)) throw error;
      throw this.tokens.error(`Failed to build ${name} from ${byteStringText(shown)}`);
    }
  }

  /** Reads map entries that are encoded as bytes. The bytes may contain several entries. */
  private decodeEntry(type: MessageType<object>, message: object, field: FieldDescriptor): void {
    const bytes = this.readBytes('', field);
    const holder = Writer.bytesOf((writer) => writer.bytes(field.id * 8 + LENGTH_DELIMITED, bytes));
    const decoded = this.decodeObject(`${type.$name}.${field.name}`, type, holder, bytes);
    const entries = (message as AnyMessage)[field.prop] as Map<unknown, unknown>;
    for (const [key, value] of (decoded as AnyMessage)[field.prop] as Map<unknown, unknown>) entries.set(key, value);
  }

  /** Reads a map entry, which is a message with the fields `key` and `value`. */
  private readEntry(type: MessageType<object>, message: object, field: FieldDescriptor): void {
    const { tokens } = this;
    let key: unknown = field.key === 'string' ? '' : 0n;
    let value: unknown = field.kind === 'message' ? new (messageTypeOf(field))() : 0n;
    tokens.expect('{');
    while (!tokens.take('}')) {
      if (tokens.isAtEnd) throw tokens.error('Expected "}".');
      do {
        const name = tokens.identifier();
        const isKey = name === 'key' || name === '1';
        if (!isKey && name !== 'value' && name !== '2') {
          this.skipValue();
          continue;
        }
        tokens.expect(':');
        this.readEach(() => {
          if (isKey)
            key = this.readPrimitive(type.$name, field, present(field.key, 'the entries come from maps')) ?? key;
          else if (field.kind === 'message') value = this.readObject(type, field, name === '2');
          else value = this.readPrimitive(type.$name, field, field.kind) ?? value;
        });
      } while (tokens.take(','));
    }
    ((message as AnyMessage)[field.prop] as Map<unknown, unknown>).set(key, value);
  }

  /**
   * Reads a scalar value.
   * @returns undefined for `null`, which does not change the field
   */
  private readPrimitive(owner: string, field: FieldDescriptor, kind: FieldDescriptor['kind']): unknown {
    const { tokens } = this;
    if (tokens.take('null')) return undefined;
    switch (kind) {
      case 'int32':
        return Number(tokens.integer(32));
      case 'int64':
        return tokens.integer(64);
      case 'double':
        return tokens.double();
      case 'bool':
        return tokens.boolean();
      case 'string':
        return tokens.string();
      case 'bytes':
        return this.readBytes(owner, field);
      default:
        return this.readEnum(field);
    }
  }

  private readEnum(field: FieldDescriptor): number {
    const { tokens } = this;
    const values = enumValuesOf(field);
    const { fullName, byNumber } = enumNames(values);
    if (tokens.isInteger) {
      const number = Number(tokens.integer(32));
      if (byNumber.has(number)) return number;
      throw tokens.errorBefore(`Enum type "${fullName}" has no value with number ${number}.`);
    }
    let name = tokens.identifier();
    if (/^\p{Ll}+$/u.test(name)) name = String.fromCharCode(name.charCodeAt(0) - 32) + name.slice(1);
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw tokens.errorBefore(`Enum type "${fullName}" has no value named "${name}".`);
    return value;
  }

  private readBytes(owner: string, field: FieldDescriptor): Uint8Array {
    const text = this.tokens.quoted();
    const form = this.options.visible ? visibleForm(owner, field.name) : undefined;
    const bytes =
      form === 'address'
        ? this.addressOf(text, `${owner}.${field.name}`)
        : form === 'text'
          ? utf8(text)
          : this.hexBytes(text);
    this.tokens.advance();
    return bytes;
  }

  private addressOf(text: string, field: string): Uint8Array {
    const { namesBadAddresses } = this.options.release;
    try {
      const address = addressOfText(text, this.options);
      if (address !== undefined) return address;
    } catch (error) {
      if (!namesBadAddresses) throw this.tokens.error(`INVALID base58 String, ${javaError(error)?.text}`);
    }
    throw namesBadAddresses ? this.tokens.error(`invalid address for field: ${field}`) : nullPointer();
  }

  private hexBytes(text: string): Uint8Array {
    try {
      return bytesOfHex(text);
    } catch {
      throw this.tokens.error('INVALID hex String');
    }
  }

  /** Skips the value of an unknown member. Reference: JsonFormat.handleMissingField. */
  private skipValue(): void {
    const { tokens } = this;
    tokens.take(':');
    if (tokens.take('{')) {
      this.enter();
      do {
        tokens.identifier();
        this.skipValue();
      } while (tokens.take(','));
      tokens.expect('}');
      this.depth--;
    } else if (tokens.take('[')) {
      this.enter();
      do this.skipValue();
      while (tokens.take(','));
      tokens.expect(']');
      this.depth--;
    } else if (tokens.take('null')) {
      // `null` has no further part to skip.
    } else if (tokens.isInteger) tokens.integer(64);
    else if (tokens.current === 'true' || tokens.current === 'false') tokens.advance();
    else tokens.string();
  }
}
