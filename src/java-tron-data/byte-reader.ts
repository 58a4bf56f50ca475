import { itemAt } from '../primitives/assert.js';

/**
 * What a reader throws when the bytes end or say what cannot be; whoever knows the file's name makes a `JavaDataError`
 * of it.
 */
export class FormatError extends Error {}

/** Goes through bytes of the engines' formats: little-endian numbers, varints, strings with their length in front. */
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

  /** Numbers up to 2^53: lengths, offsets, file numbers. @throws {FormatError} */
  varint(): number {
    let value = 0;
    for (let unit = 1; unit <= 2 ** 49; unit *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return checkedNumber(value);
    }
    throw new FormatError('a number is too long');
  }

  /** Sequence numbers and the like, which use all 64 bits. */
  varint64(): bigint {
    let value = 0n;
    for (let shift = 0n; shift <= 63n; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new FormatError('a number is too long');
  }

  /** A view into the bytes. */
  slice(length: number): Buffer {
    const at = this.advance(length);
    return this.bytes.subarray(at, at + length);
  }

  /** Bytes with their length in front. */
  lengthPrefixed(): Buffer {
    return this.slice(this.varint());
  }

  private advance(length: number): number {
    const { at } = this;
    if (length > this.end - at) throw new FormatError('it is cut off');
    this.at = at + length;
    return at;
  }
}

function checkedNumber(value: number): number {
  if (!Number.isSafeInteger(value)) throw new FormatError('a number is too big');
  return value;
}
