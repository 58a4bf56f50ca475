/** Wire types. */
const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

const VARINT_BYTES_MAX = 10;

/**
 * Walks over the fields of a message in its bytes and makes nothing of them. It sees those before the first that is none, or is a group;
 * whether all of them can be read says only the decoder.
 */
export class FieldScanner {
  /** Of the field: its number × 8 and its wire type. */
  tag = 0;
  /** Where its content is. */
  start = 0;
  end = 0;
  private readonly bytes: Uint8Array;
  private at = 0;
  private limit = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
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

  /** Bytes of the content, whose begin is next; -1: there is none. */
  private lengthOf(wireType: number): number {
    if (wireType === LENGTH_DELIMITED) return this.varint();
    if (wireType === FIXED64) return 8;
    if (wireType === FIXED32) return 4;
    if (wireType !== VARINT) return -1;
    const start = this.at;
    this.varint();
    const { at } = this;
    this.at = start;
    return at - start;
  }

  /** A number below 2^35, or what the lowest bits of a longer one are; passes the end where it is cut off. */
  private varint(): number {
    const { bytes, limit } = this;
    let value = 0;
    let scale = 1;
    for (let count = 0; count < VARINT_BYTES_MAX && this.at < limit; count++) {
      const byte = bytes[this.at];
      if (byte === undefined) break;
      this.at++;
      if (count < 5) value += (byte & 0x7f) * scale;
      scale *= 0x80;
      if (byte < 0x80) return value;
    }
    this.at = limit + 1;
    return value;
  }
}
