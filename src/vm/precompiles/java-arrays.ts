import { SIGNATURE_BYTES } from '../../crypto/secp256k1.js';
import { itemAt } from '../../primitives/assert.js';
import { WORD_BYTES } from '../../primitives/units.js';
import { heapExhausted, javaFailure } from '../../state-transition/vm-error.js';
import { safeInt } from './precompile.js';

// Reads arrays of an ABI-encoded input as java-tron does. java-tron does not check counts and offsets, so accesses out
// of bounds fail with the error texts of Java 17.

/** Maximum length of a Java array. */
const ARRAY_MAX = 0x7ffffffd;

/** Thrown for an array that does not fit into Java's heap. */
class TooLongError extends RangeError {}

/**
 * A list of byte arrays. An array is copied only when it is accessed, because the count in the input may be very
 * large.
 */
interface BytesList {
  readonly count: number;
  at(index: number): Uint8Array;
}

/**
 * Returns a view of word `index`. An incomplete last word of the input is ignored. Reference: DataWord.parseArray.
 * @throws {RangeError} the index is out of bounds; the text is that of Java's array exception
 */
export function at(data: Uint8Array, index: number): Uint8Array {
  const length = Math.floor(data.length / WORD_BYTES);
  if (index >= length) throw new RangeError(`Index ${index} out of bounds for length ${length}`);
  return data.subarray(index * WORD_BYTES, (index + 1) * WORD_BYTES);
}

/**
 * Runs `parse` and converts errors of Java arrays to failures of the program.
 * @throws {VmError} `parse` threw a RangeError
 */
export function outward<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof TooLongError) throw heapExhausted();
    if (error instanceof RangeError) throw javaFailure('ArrayIndexOutOfBoundsException', error.message);
    throw error;
  }
}

/** Returns an array of words. Reference: extractBytes32Array. @throws {RangeError} the array exceeds the input */
export function wordArray(data: Uint8Array, offset: number): Uint8Array[] {
  const length = lengthAt(data, offset);
  const found: Uint8Array[] = [];
  for (let i = 0; i < length; i++) found.push(at(data, offset + i + 1));
  return found;
}

/** Returns byte arrays of any length. Reference: extractBytesArray. @throws {RangeError} an array exceeds the input */
export function bytesArray(data: Uint8Array, offset: number): BytesList {
  if ((offset + 1) * WORD_BYTES > data.length) return { count: 0, at: () => new Uint8Array(0) };
  return bytesList(data, offset, (start) => safeInt(at(data, offset + start + 1)));
}

/**
 * Returns 65 bytes of each signature. Ignores the length field of the signature. Reference: extractSigArray.
 * @throws {RangeError} an offset exceeds the input
 */
export function signatureArray(data: Uint8Array, offset: number): BytesList {
  return bytesList(data, offset, () => SIGNATURE_BYTES);
}

function bytesList(data: Uint8Array, offset: number, sizeAt: (start: number) => number): BytesList {
  const count = lengthAt(data, offset);
  const ranges: (readonly [start: number, size: number])[] = [];
  for (let i = 0; i < count; i++) {
    const start = Math.floor(safeInt(at(data, offset + i + 1)) / WORD_BYTES);
    const size = sizeAt(start);
    const from = (start + offset + 2) * WORD_BYTES;
    checkRange(data, from, size);
    ranges.push([from, size]);
  }
  return { count, at: (index) => copyRange(data, ...itemAt(ranges, index)) };
}

function lengthAt(data: Uint8Array, offset: number): number {
  const length = safeInt(at(data, offset));
  if (length > ARRAY_MAX) throw new TooLongError('Requested array size exceeds VM limit');
  return length;
}

/**
 * Checks a range as Java's copy does. Reference: Arrays.copyOfRange.
 * @throws {RangeError} the start is outside the input, or Java's heap would be too small
 */
function checkRange(data: Uint8Array, start: number, size: number): void {
  if (start + size > 0x7fffffff && size > SIGNATURE_BYTES) throw new TooLongError('Java heap space');
  const from = start | 0;
  if (from < 0) throw new RangeError(`arraycopy: source index ${from} out of bounds for byte[${data.length}]`);
  if (from > data.length) throw new RangeError(`arraycopy: length ${data.length - from} is negative`);
}

/**
 * Copies a range of the input, padded with zeros. The result has at most as many bytes as the input has from `start`
 * on, or 65 bytes if this is more. This limits the memory for a very large `size`.
 */
function copyRange(data: Uint8Array, start: number, size: number): Uint8Array {
  const bytes = new Uint8Array(Math.min(size, Math.max(data.length - start, SIGNATURE_BYTES)));
  bytes.set(data.subarray(start, start + size));
  return bytes;
}
