import { END_GROUP, FIXED32, FIXED64, LENGTH_DELIMITED, START_GROUP, VARINT, VARINT_BYTES_MAX } from './wire-types.js';

/**
 * Iterates over the top-level fields of an encoded message without decoding them. Stops at the first malformed field.
 * The start and the end of a group appear as fields without content. Does not check the content of fields.
 */
export class FieldScanner {
  /** Tag of the current field: field number × 8 + wire type. */
  tag = 0;
  /** Offset at which the content of the current field starts. */
  start = 0;
  /** Offset after the content of the current field. */
  end = 0;
  private readonly bytes: Uint8Array;
  private at = 0;
  private limit: number;

  /** Starts at the first field. @param bytes one encoded message */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.limit = bytes.length;
  }

  /** Continues with the message between two offsets, such as a nested message. */
  enter(start: number, end: number): void {
    this.at = start;
    this.limit = end;
  }

  /** Moves to the next field. Returns false at the end of the message, or if the next field is malformed. */
  next(): boolean {
    if (this.at >= this.limit) return false;
    this.tag = this.varint();
    const length = this.lengthOf(this.tag & 7);
    this.start = this.at;
    this.end = this.at + length;
    const isField = length >= 0 && this.end <= this.limit;
    this.at = isField ? this.end : this.limit;
    return isField;
  }

  /**
   * Moves to the content of a field and returns the length of the content, or a negative number for an invalid wire
   * type.
   */
  private lengthOf(wireType: number): number {
    switch (wireType) {
      case LENGTH_DELIMITED:
        return this.varint();
      case FIXED64:
        return 8;
      case FIXED32:
        return 4;
      case START_GROUP:
      case END_GROUP:
        return 0;
      case VARINT: {
        const start = this.at;
        this.varint();
        const { at } = this;
        this.at = start;
        return at - start;
      }
      default:
        return -1;
    }
  }

  /**
   * Reads a varint and returns its lowest 32 bits as a signed number. If the varint is truncated or longer than ten
   * bytes, sets the position after the end.
   */
  private varint(): number {
    const { bytes, limit } = this;
    let value = 0;
    for (let count = 0; count < VARINT_BYTES_MAX && this.at < limit; count++) {
      const byte = bytes[this.at];
      if (byte === undefined) break;
      this.at++;
      if (count < 5) value |= (byte & 0x7f) << (7 * count);
      if (byte < 0x80) return value;
    }
    this.at = limit + 1;
    return value;
  }
}
