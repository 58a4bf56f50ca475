import { present } from '../primitives/assert.js';
import { EMPTY_BYTES } from '../primitives/bytes.js';
import { TronError } from '../primitives/errors.js';
import type { MessageType, ReadableType } from './descriptor.js';
import { mergeMessage } from './merge-message.js';
import { UnknownFields } from './unknown-fields.js';

/** Thrown if the bytes are not a valid message of the type. The texts are those of Java's protobuf library. */
export class ProtobufError extends TronError<'PROTOBUF_ERROR'> {
  constructor(message: string) {
    super('PROTOBUF_ERROR', message);
  }
}

/** Thrown for an invalid wire type. Reference: InvalidProtocolBufferException.InvalidWireTypeException */
export class WireTypeError extends ProtobufError {
  constructor() {
    super('Protocol message tag had invalid wire type.');
  }
}

/** Thrown if a message has more fields than the caller allows. */
export class FieldCountError extends ProtobufError {
  constructor(fieldsMax: number) {
    super(`message has too many fields, the limit is ${fieldsMax}`);
  }
}

const TRUNCATED =
  'While parsing a protocol message, the input ended unexpectedly in the middle of a field.  ' +
  'This could mean either that the input has been truncated or that an embedded message misreported its own length.';
const TOO_DEEP =
  'Protocol message had too many levels of nesting.  May be malicious.  ' +
  'Use CodedInputStream.setRecursionLimit() to increase the depth limit.';
const NEGATIVE_SIZE = 'CodedInputStream encountered an embedded string or message which claimed to have negative size.';

/** Maximum nesting depth of messages and groups. Reference: CodedInputStream, default recursion limit. */
const DEPTH_MAX = 100;

const TOP_BIT = 1n << 63n;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

interface Message {
  $unknown: Uint8Array | undefined;
}

/**
 * Decodes a message with Java's semantics of proto3. If a scalar occurs twice, the last value applies. If a message
 * occurs twice, both occurrences are merged. Unknown fields are retained.
 */
export class Reader {
  position = 0;
  private readonly bytes_: Uint8Array;
  private limit: number;
  private depth = 0;
  /** Number of fields that were read, at all levels. */
  private fieldCount = 0;
  private readonly fieldsMax: number;
  /** The message that is being decoded. */
  private current: Message | undefined;
  /**
   * Unknown fields by message. They are encoded after the whole message is read, because several parts of one message
   * may contain unknown fields.
   */
  private unknowns: Map<Message, UnknownFields> | undefined;

  private constructor(bytes: Uint8Array, fieldsMax: number) {
    this.bytes_ = bytes;
    this.limit = bytes.length;
    this.fieldsMax = fieldsMax;
  }

  /**
   * Decodes a message.
   * @param fieldsMax maximum number of fields at all levels, including repeated and unknown fields
   * @throws {FieldCountError} the message has more fields
   * @throws {ProtobufError} the bytes are not a valid message
   */
  static decode<T extends { $unknown: Uint8Array | undefined }>(
    bytes: Uint8Array,
    type: ReadableType<T>,
    fieldsMax = Number.POSITIVE_INFINITY,
  ): T {
    const reader = new Reader(bytes, fieldsMax);
    const message = reader.body(type, reader.limit);
    if (reader.unknowns !== undefined) for (const [holder, fields] of reader.unknowns) holder.$unknown = fields.bytes();
    return message;
  }

  /** The bytes as a Buffer. Created on demand, because most messages contain neither text nor a `double`. */
  private get buffer(): Buffer {
    const { bytes_ } = this;
    return Buffer.isBuffer(bytes_) ? bytes_ : Buffer.from(bytes_.buffer, bytes_.byteOffset, bytes_.byteLength);
  }

  tag(): number {
    if (++this.fieldCount > this.fieldsMax) throw new FieldCountError(this.fieldsMax);
    const tag = this.uint32();
    if (tag >>> 3 === 0) throw new ProtobufError('Protocol message contained an invalid tag (zero).');
    return tag;
  }

  int64(): bigint {
    const { bytes_ } = this;
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.byte(bytes_);
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt(low);
    }
    let middle = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.byte(bytes_);
      middle |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        const value = middle * 0x10000000 + low;
        return Number.isSafeInteger(value) ? BigInt(value) : BigInt.asIntN(64, (BigInt(middle) << 28n) | BigInt(low));
      }
    }
    const last = this.byte(bytes_);
    const high = (BigInt(last & 0x7f) << 56n) | (BigInt(middle) << 28n) | BigInt(low);
    if (last < 0x80) return high;
    // A tenth byte sets the highest bit, regardless of its value. Reference: CodedInputStream.readRawVarint64.
    if (this.byte(bytes_) < 0x80) return BigInt.asIntN(64, high | TOP_BIT);
    throw new ProtobufError('CodedInputStream encountered a malformed varint.');
  }

  int32(): number {
    return this.uint32() | 0;
  }

  bool(): boolean {
    return this.int64() !== 0n;
  }

  double(): number {
    this.need(8);
    const value = this.buffer.readDoubleLE(this.position);
    this.position += 8;
    return value;
  }

  bytes(): Uint8Array {
    const length = this.length();
    if (length === 0) return EMPTY_BYTES;
    const start = this.position;
    this.position = start + length;
    return this.bytes_.subarray(start, this.position);
  }

  /** Skips a value that {@link bytes} would return. Returns the position at which the value starts. */
  skipBytes(): number {
    const length = this.length();
    const start = this.position;
    this.position = start + length;
    return start;
  }

  string(): string {
    const length = this.length();
    const start = this.position;
    this.position = start + length;
    for (let i = start; i < this.position; i++) {
      const byte = this.bytes_[i];
      if (byte !== undefined && byte < 0x80) continue;
      try {
        return strictUtf8.decode(this.bytes_.subarray(start, this.position));
      } catch {
        throw new ProtobufError('Protocol message had invalid UTF-8.');
      }
    }
    return this.buffer.toString('latin1', start, this.position);
  }

  message<T extends { $unknown: Uint8Array | undefined }>(type: ReadableType<T>): T {
    const end = this.begin();
    const outer = this.current;
    const message = this.body(type, end);
    this.current = outer;
    this.end(end);
    return message;
  }

  /** Reads a singular message. If the message occurs again, merges the later occurrence into the earlier one. */
  single<T extends { $unknown: Uint8Array | undefined }>(type: MessageType<T>, before: T | undefined): T {
    const part = this.message(type);
    if (before === undefined) return part;
    mergeMessage(type as MessageType<object>, before, part, (into, from) => this.moveUnknown(into, from));
    return before;
  }

  /**
   * Starts a length-delimited part and returns the offset of its end. `end` checks that the caller has read exactly up
   * to this offset.
   */
  begin(): number {
    const length = this.length();
    if (++this.depth > DEPTH_MAX) throw new ProtobufError(TOO_DEEP);
    return this.position + length;
  }

  end(end: number): void {
    if (this.position !== end) throw new ProtobufError(TRUNCATED);
    this.depth--;
  }

  /** Stores a field that the schema does not contain. */
  unknown(tag: number): void {
    const start = this.position;
    this.skip(tag);
    this.unknownsOf(present(this.current, 'a field belongs to a message')).add(tag, start, this.position);
  }

  skip(tag: number): void {
    switch (tag & 7) {
      case 0:
        this.uint32();
        return;
      case 1:
        this.need(8);
        this.position += 8;
        return;
      case 2: {
        const length = this.length();
        this.position += length;
        return;
      }
      case 3:
        this.group(tag);
        return;
      case 5:
        this.need(4);
        this.position += 4;
        return;
      default:
        throw new WireTypeError();
    }
  }

  /** Throws a ProtobufError, because an end-group tag without an open group is invalid. */
  endGroup(_tag: number, _message: object): never {
    throw new ProtobufError('Protocol message end-group tag did not match expected tag.');
  }

  private unknownsOf(message: Message): UnknownFields {
    this.unknowns ??= new Map();
    let fields = this.unknowns.get(message);
    if (fields === undefined) {
      fields = new UnknownFields(this.bytes_);
      this.unknowns.set(message, fields);
    }
    return fields;
  }

  private moveUnknown(into: object, from: object): void {
    const fields = this.unknowns?.get(from as Message);
    if (fields === undefined) return;
    this.unknownsOf(into as Message).addAll(fields);
    this.unknowns?.delete(from as Message);
  }

  private body<T extends { $unknown: Uint8Array | undefined }>(type: ReadableType<T>, end: number): T {
    const into = new type();
    const outerLimit = this.limit;
    this.limit = end;
    this.current = into;
    type.read(this, end, into);
    this.limit = outerLimit;
    return into;
  }

  private group(tag: number): void {
    if (++this.depth > DEPTH_MAX) throw new ProtobufError(TOO_DEEP);
    const close = ((tag >>> 3) << 3) | 4;
    for (;;) {
      // The data ends before the end tag of the group.
      if (this.position >= this.limit) this.endGroup(0, this);
      const inner = this.tag();
      if ((inner & 7) === 4) {
        if (inner >>> 0 !== close >>> 0) this.endGroup(inner, this);
        break;
      }
      this.skip(inner);
    }
    this.depth--;
  }

  private uint32(): number {
    const { bytes_ } = this;
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte(bytes_);
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    // The varint of a 32-bit field may have up to ten bytes. The bits above the lowest 32 are ignored.
    for (let i = 0; i < 5; i++) if (this.byte(bytes_) < 0x80) return value >>> 0;
    throw new ProtobufError('CodedInputStream encountered a malformed varint.');
  }

  private length(): number {
    const length = this.uint32() | 0;
    if (length < 0) throw new ProtobufError(NEGATIVE_SIZE);
    this.need(length);
    return length;
  }

  private need(count: number): void {
    if (this.position + count > this.limit) throw new ProtobufError(TRUNCATED);
  }

  private byte(bytes: Uint8Array): number {
    const byte = bytes[this.position];
    if (this.position >= this.limit || byte === undefined) throw new ProtobufError(TRUNCATED);
    this.position++;
    return byte;
  }
}
