import { END_GROUP, FIXED32, FIXED64, LENGTH_DELIMITED, START_GROUP, VARINT, VARINT_BYTES_MAX } from './wire-types.js';

/**
 * Walks over the fields of a message in its bytes and makes nothing of them. It sees those before the first that is
 * none; begin and end of a group are fields without content. Whether all of them can be read says only the decoder.
 */
export class FieldScanner {
  /** Of the field: its number × 8 and its wire type. */
  tag = 0;
  /** Where its content is. */
  start = 0;
  end = 0;
  private readonly bytes: Uint8Array;
  private at = 0;
  private limit: number;

  /** Begins with all of the bytes as one message. */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.limit = bytes.length;
  }

  /** Begins with the message between two places. */
  enter(start: number, end: number): void {
    this.at = start;
    this.limit = end;
  }

  /** Goes on to the next field; false where there is none. */
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

  /** Bytes of the content, whose begin is next; below 0: there is none. */
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
   * The lowest 32 bits of a number, with their sign; passes the end where it is cut off, or has more than ten bytes.
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
