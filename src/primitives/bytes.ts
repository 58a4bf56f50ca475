// biome-ignore-all lint/style/noNonNullAssertion: indexes stay below the length, and the digits are two for every byte
/** Returns bytes as lower-case hex without a prefix. Maps use this form of ids and addresses as keys. */
export function toHex(bytes: Uint8Array): string {
  const { length } = bytes;
  if (length > SHORT_BYTES) return view(bytes).toString('hex');
  writeHex(bytes, digits, 0);
  return digits.toString('latin1', 0, 2 * length);
}

/** Writes the lower-case hex digits of bytes, in ASCII. @param at offset of the first digit in `into` */
export function writeHex(bytes: Uint8Array, into: Uint8Array, at: number): void {
  const { length } = bytes;
  for (let i = 0; i < length; i++) {
    const digit = 2 * bytes[i]!;
    into[at + 2 * i] = DIGITS[digit]!;
    into[at + 2 * i + 1] = DIGITS[digit + 1]!;
  }
}

/**
 * Maximum size in bytes for which this file uses its own byte loops. For ids and addresses, the loops take at most 60 %
 * of the time of Node's functions on a Buffer view.
 */
const SHORT_BYTES = 32;
const digits = Buffer.alloc(2 * SHORT_BYTES);
/** The two hex digits of each byte, in ASCII. */
const DIGITS = Buffer.from(
  Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')).join(''),
  'latin1',
);

/**
 * Decodes a hex text with an even number of digits. Callers must check texts from outside the node first.
 * @throws {RangeError} the text is not hex
 */
export function fromHex(hex: string): Uint8Array {
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length * 2 !== hex.length) throw new RangeError(`invalid hex: ${hex.slice(0, 80)}`);
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

/** Compares in unsigned lexicographic order, the key order of LMDB and of java-tron. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return view(a).compare(b);
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

/** Encodes 8 bytes big-endian in two's complement, as java-tron stores a Java long. */
export function fromInt64(value: bigint): Uint8Array {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigInt64BE(BigInt.asIntN(64, value));
  return bytes;
}

/**
 * Decodes a big-endian integer of any length. Returns its low 64 bits as a Java long. Eight bytes ff are −1, and an
 * empty array is 0. Reference: ByteArray.toLong.
 */
export function toInt64(bytes: Uint8Array): bigint {
  if (bytes.length === 8) return view(bytes).readBigInt64BE();
  return BigInt.asIntN(64, toUnsigned(bytes));
}

/** Decodes an unsigned big-endian integer of any length. An empty array is 0. */
export function toUnsigned(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${toHex(bytes)}`);
}

export function utf8(text: string): Uint8Array {
  return Buffer.from(wellFormed(text), 'utf8');
}

/**
 * Replaces a lone surrogate by a question mark. Only a JSON escape can produce a lone surrogate in this node.
 * Reference: String.getBytes.
 */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.replace(LONE_SURROGATE, '?');
}

const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * Decodes UTF-8. An encoded surrogate becomes one replacement character, not one for each byte. Reference: Java's
 * UTF_8.
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

/** Returns an independent copy. `slice` of a Buffer would share the memory. */
export function copyBytes(bytes: Uint8Array): Uint8Array {
  return Uint8Array.prototype.slice.call(bytes);
}

/** Maximum size of an array that V8 stores in its own heap, in bytes. V8 allocates larger arrays separately. */
const ON_HEAP_MAX = 64;

/**
 * Returns a copy of a part of an array. For a part above `ON_HEAP_MAX`, uses the pool of small Buffers, which is six
 * times faster than `slice`.
 * @throws {RangeError} `to` is beyond the end of the array
 */
export function copyPart(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const part = bytes.subarray(from, to);
  if (part.length !== to - from)
    throw new RangeError(`bytes ${from} to ${to} are out of range, length is ${bytes.length}`);
  if (part.length <= ON_HEAP_MAX) return Uint8Array.prototype.slice.call(part);
  const buffer = Buffer.allocUnsafe(part.length);
  const copy = new Uint8Array(buffer.buffer, buffer.byteOffset, part.length);
  copy.set(part);
  return copy;
}

/** Encodes a number as a protobuf varint. @param value from 0 to 2^53 − 1 */
export function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return [...bytes, rest];
}
