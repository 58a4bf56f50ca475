import { present } from '../primitives/assert.js';
import { utf8 } from '../primitives/bytes.js';
import type { MessageType } from './descriptor.js';

/**
 * Initial buffer size in bytes. The buffer doubles when a message does not fit. The largest messages are blocks of 2 MB
 * and answers of several MB.
 */
const INITIAL_BYTES = 1 << 16;

/**
 * Encodes messages as the Java library does: known fields in order of their numbers, then unknown fields. Omits default
 * values, and writes varints in the shortest form.
 */
export class Writer {
  private bytes_ = new Uint8Array(INITIAL_BYTES);
  private view = new DataView(this.bytes_.buffer);
  private position = 0;
  private readonly starts: number[] = [];

  /** Encodes a message. Map entries keep their order, as in Java's protobuf library. */
  static encode<T>(message: T, type: MessageType<T>): Uint8Array {
    return shared.run((writer) => type.write(message, writer));
  }

  /** Returns the bytes that a function writes. */
  static bytesOf(write: (writer: Writer) => void): Uint8Array {
    return shared.run(write);
  }

  int64(tag: number, value: bigint): void {
    this.varint(tag);
    this.int64Value(value);
  }

  int32(tag: number, value: number): void {
    this.varint(tag);
    this.int32Value(value);
  }

  enum(tag: number, value: number): void {
    this.varint(tag);
    this.int32Value(value);
  }

  bool(tag: number, value: boolean): void {
    this.varint(tag);
    this.boolValue(value);
  }

  double(tag: number, value: number): void {
    this.varint(tag);
    this.grow(8);
    this.view.setFloat64(this.position, value, true);
    this.position += 8;
  }

  string(tag: number, value: string): void {
    this.bytes(tag, utf8(value));
  }

  bytes(tag: number, value: Uint8Array): void {
    this.varint(tag);
    this.varint(value.length);
    this.raw(value);
  }

  raw(value: Uint8Array): void {
    this.grow(value.length);
    this.bytes_.set(value, this.position);
    this.position += value.length;
  }

  int64Value(value: bigint): void {
    if (value >= 0n && value < 0x80000000n) {
      this.varint(Number(value));
      return;
    }
    this.grow(10);
    const unsigned = BigInt.asUintN(64, value);
    let low = Number(unsigned & 0xffffffffn);
    let high = Number(unsigned >> 32n);
    while (high > 0 || low > 0x7f) {
      this.bytes_[this.position++] = (low & 0x7f) | 0x80;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    this.bytes_[this.position++] = low;
  }

  boolValue(value: boolean): void {
    this.varint(value ? 1 : 0);
  }

  int32Value(value: number): void {
    if (value < 0) this.int64Value(BigInt(value));
    else this.varint(value);
  }

  /** Starts a length-delimited field. The caller must call `end` after the content, to insert the length. */
  begin(tag: number): void {
    this.varint(tag);
    this.grow(1);
    this.starts.push(++this.position);
  }

  end(): void {
    const start = present(this.starts.pop(), 'a message has started before it ends');
    const length = this.position - start;
    if (length < 0x80) {
      this.bytes_[start - 1] = length;
      return;
    }
    const extra = length < 0x4000 ? 1 : length < 0x200000 ? 2 : length < 0x10000000 ? 3 : 4;
    this.grow(extra);
    this.bytes_.copyWithin(start + extra, start, this.position);
    this.position = start - 1;
    this.varint(length);
    this.position += length;
  }

  private varint(value: number): void {
    this.grow(5);
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.bytes_[this.position++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes_[this.position++] = rest;
  }

  private run(write: (writer: Writer) => void): Uint8Array {
    this.position = 0;
    this.starts.length = 0;
    write(this);
    return this.bytes_.slice(0, this.position);
  }

  private grow(count: number): void {
    if (this.position + count <= this.bytes_.length) return;
    const bytes = new Uint8Array(Math.max(this.bytes_.length * 2, this.position + count));
    bytes.set(this.bytes_);
    this.bytes_ = bytes;
    this.view = new DataView(bytes.buffer);
  }
}

/** Writer for all messages. One instance suffices, because encoding is synchronous and never nested. */
const shared = new Writer();
