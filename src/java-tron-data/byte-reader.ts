import { itemAt } from '../primitives/assert.js';

/** Thrown for malformed or truncated data. A caller that knows the file name converts it to a `JavaDataError`. */
export class FormatError extends Error {}

/** Reads the number and string formats of LevelDB and RocksDB: little-endian, varints, length-prefixed strings. */
export class ByteReader {
  readonly bytes: Buffer;
  at: number;
  private readonly end: number;

  constructor(bytes: Buffer, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  get left(): number {
    return this.end - this.at;
  }

  byte(): number {
    return itemAt(this.bytes, this.advance(1));
  }

  uint32(): number {
    return this.bytes.readUInt32LE(this.advance(4));
  }

  uint64(): bigint {
    return this.bytes.readBigUInt64LE(this.advance(8));
  }

  /**
   * Reads a varint, such as a length, an offset or a file number.
   * @throws {FormatError} the varint is malformed or above 2^53
   */
  varint(): number {
    let value = 0;
    for (let unit = 1; unit <= 2 ** 49; unit *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return checkedNumber(value);
    }
    throw new FormatError('varint is too long');
  }

  /** Reads a 64-bit varint, such as a sequence number. @throws {FormatError} the varint is malformed */
  varint64(): bigint {
    let value = 0n;
    for (let shift = 0n; shift <= 63n; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new FormatError('varint is too long');
  }

  /** Returns the next bytes as a view, without a copy. @throws {FormatError} too few bytes are left */
  slice(length: number): Buffer {
    const at = this.advance(length);
    return this.bytes.subarray(at, at + length);
  }

  /** Reads bytes that follow a length prefix. */
  lengthPrefixed(): Buffer {
    return this.slice(this.varint());
  }

  private advance(length: number): number {
    const { at } = this;
    if (length > this.end - at) throw new FormatError('unexpected end of data');
    this.at = at + length;
    return at;
  }
}

function checkedNumber(value: number): number {
  if (!Number.isSafeInteger(value)) throw new FormatError('varint is too large');
  return value;
}
