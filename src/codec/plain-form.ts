import { type FieldDescriptor, type MessageType, tagOf } from './descriptor.js';
import { LENGTH_DELIMITED, VARINT_BYTES_MAX } from './wire-types.js';

const INT32_MAX = 0x7fffffff;

interface Field {
  readonly tag: number;
  readonly kind: FieldDescriptor['kind'];
  readonly isRepeated: boolean;
  readonly message: (() => MessageType<object>) | undefined;
}

/**
 * Determines, without decoding, if bytes are the canonical encoding of a message: valid, without unknown fields, and
 * equal to the re-encoded message. May return false for a canonical message with maps, lists of numbers, doubles,
 * non-ASCII strings or negative int32 numbers.
 */
export class PlainForm {
  private readonly fields = new Map<MessageType<object>, readonly (Field | undefined)[]>();
  private bytes: Uint8Array = new Uint8Array(0);
  private at = 0;

  has(type: MessageType<object>, bytes: Uint8Array, start = 0, end = bytes.length): boolean {
    this.bytes = bytes;
    this.at = start;
    return this.isMessage(type, end);
  }

  private isMessage(type: MessageType<object>, end: number): boolean {
    const fields = this.fieldsOf(type);
    let last = 0;
    while (this.at < end) {
      const tag = this.number(end);
      const field = fields[tag >> 3];
      if (field?.tag !== tag || tag < last || (tag === last && !field.isRepeated)) return false;
      last = tag;
      if (!this.isContent(field, end)) return false;
    }
    return this.at === end;
  }

  private isContent({ kind, isRepeated, message }: Field, end: number): boolean {
    if (kind === 'int64') return this.isInt64(end);
    const number = this.number(end);
    if (kind === 'bool') return number === 1;
    if (kind === 'int32' || kind === 'enum') return number > 0;
    const stop = this.at + number;
    if (number < 0 || stop > end) return false;
    if (message !== undefined) return this.isMessage(message(), stop);
    if (number === 0) return isRepeated;
    if (kind === 'string' && !this.isAscii(stop)) return false;
    this.at = stop;
    return true;
  }

  private isAscii(stop: number): boolean {
    for (let at = this.at; at < stop; at++) if ((this.bytes[at] ?? 0x80) >= 0x80) return false;
    return true;
  }

  /** Reads a minimal varint up to {@link INT32_MAX}. Returns −1 if the varint is malformed, not minimal or greater. */
  private number(end: number): number {
    const { bytes } = this;
    let value = 0;
    for (let scale = 1; this.at < end && scale < 2 ** 35; scale *= 0x80) {
      const byte = bytes[this.at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte >= 0x80) continue;
      const isShortest = byte !== 0 || scale === 1;
      return isShortest && value <= INT32_MAX ? value : -1;
    }
    return -1;
  }

  /** Returns true if the next bytes are a minimal varint of up to 64 bits that is not 0. */
  private isInt64(end: number): boolean {
    const stop = Math.min(end, this.at + VARINT_BYTES_MAX);
    const start = this.at;
    while (this.at < stop) {
      const byte = this.bytes[this.at++] ?? 0;
      if (byte < 0x80) return byte !== 0 && (this.at - start < VARINT_BYTES_MAX || byte === 1);
    }
    return false;
  }

  /**
   * Returns the fields of a message type by number. Fields of unsupported kinds are missing, so that `has` returns
   * false.
   */
  private fieldsOf(type: MessageType<object>): readonly (Field | undefined)[] {
    const known = this.fields.get(type);
    if (known !== undefined) return known;
    const fields: (Field | undefined)[] = [];
    for (const field of type.$fields) {
      const { id, kind, repeated = false, key, message } = field;
      const tag = tagOf(field);
      const hasLength = (tag & 7) === LENGTH_DELIMITED;
      if (key !== undefined || kind === 'double' || (repeated && !hasLength)) continue;
      fields[id] = { tag, kind, isRepeated: repeated, message };
    }
    this.fields.set(type, fields);
    return fields;
  }
}
