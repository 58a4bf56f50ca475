// biome-ignore-all lint/style/noNonNullAssertion: places stay below the length, and the digits are two for every byte
/** Lower-case hex of bytes, without prefix: the form in which ids and addresses are map keys inside the node. */
export function toHex(bytes: Uint8Array): string {
  const { length } = bytes;
  if (length > SHORT_BYTES) return view(bytes).toString('hex');
  for (let i = 0; i < length; i++) {
    const byte = bytes[i]!;
    digits[2 * i] = DIGITS[2 * byte]!;
    digits[2 * i + 1] = DIGITS[2 * byte + 1]!;
  }
  return digits.toString('latin1', 0, 2 * length);
}

/**
 * Ids and addresses: what is done with them here byte by byte takes 60 % of the time of a view and Node's own, or less.
 */
const SHORT_BYTES = 32;
const digits = Buffer.alloc(2 * SHORT_BYTES);
/** The two digits of each byte, in ASCII. */
const DIGITS = Buffer.from(
  Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')).join(''),
  'latin1',
);

/**
 * Bytes of a hex text with an even number of digits.
 * @throws {RangeError} anything else: inside the node hex is made by `toHex`.
 */
export function fromHex(hex: string): Uint8Array {
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length * 2 !== hex.length) throw new RangeError(`not hex: ${hex.slice(0, 80)}`);
  return bytes;
}

export const EMPTY_BYTES = new Uint8Array(0);

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  const { length } = a;
  if (length !== b.length) return false;
  if (length > SHORT_BYTES) return view(a).compare(b) === 0;
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Unsigned lexicographic order: LMDB's and the reference's order of keys. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return view(a).compare(b);
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

/** 8 bytes big-endian, two's complement: how the reference stores a Java long. */
export function fromInt64(value: bigint): Uint8Array {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigInt64BE(BigInt.asIntN(64, value));
  return bytes;
}

/**
 * Big-endian integer of any length, narrowed to a Java long: ff…ff (8 bytes) is -1, nothing is 0.
 * Reference: ByteArray.toLong.
 */
export function toInt64(bytes: Uint8Array): bigint {
  if (bytes.length === 8) return view(bytes).readBigInt64BE();
  return bytes.length === 0 ? 0n : BigInt.asIntN(64, BigInt(`0x${toHex(bytes)}`));
}

export function utf8(text: string): Uint8Array {
  return Buffer.from(wellFormed(text), 'utf8');
}

/**
 * Half of a surrogate pair, which only an escape in JSON can bring here, becomes a question mark.
 * Reference: String.getBytes.
 */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.replace(LONE_SURROGATE, '?');
}

const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * Half of a surrogate pair, written as if it were a character, is one that cannot be read, not one a byte.
 * Reference: Java's UTF_8.
 */
export function toUtf8(bytes: Uint8Array): string {
  const text = view(bytes).toString('utf8');
  if (!text.includes(UNREADABLE)) return text;
  const joined = view(bytes).toString('latin1').replace(SURROGATE_BYTES, UNREADABLE_BYTES);
  return Buffer.from(joined, 'latin1').toString('utf8');
}

const UNREADABLE = '\ufffd';
const UNREADABLE_BYTES = '\xef\xbf\xbd';
const SURROGATE_BYTES = /\xed[\xa0-\xbf][\x80-\xbf]?/g;

function view(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Bytes of their own; `slice` of a Buffer shares them. */
export function copyBytes(bytes: Uint8Array): Uint8Array {
  return Uint8Array.prototype.slice.call(bytes);
}

/**
 * Bytes of up to so many lie in the collector's own heap; others in memory that is asked for and given back one by one.
 */
const ON_HEAP_MAX = 64;

/**
 * A part of bytes as bytes of their own. More than a few lie in the room that small buffers share: six times faster
 * than `slice`.
 * @throws {RangeError} the part reaches beyond the end
 */
export function copyPart(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const part = bytes.subarray(from, to);
  if (part.length !== to - from) throw new RangeError(`there are no bytes ${from} to ${to} of ${bytes.length}`);
  if (part.length <= ON_HEAP_MAX) return Uint8Array.prototype.slice.call(part);
  const room = Buffer.allocUnsafe(part.length);
  const copy = new Uint8Array(room.buffer, room.byteOffset, part.length);
  copy.set(part);
  return copy;
}
