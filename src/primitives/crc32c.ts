// biome-ignore-all lint/style/noNonNullAssertion: the tables are 8 times 256 long, and an index of a byte is below their length
import { endianness } from 'node:os';

/** Reflected polynomial of CRC-32C (Castagnoli). */
const POLYNOMIAL = 0x82f63b78;
const IS_LITTLE_ENDIAN = endianness() === 'LE';
/** CRC contributions of a byte, by the number of bytes that follow it (0 to 7). Each table has 256 values. */
const TABLES = tables();

/**
 * Returns the CRC-32C of concatenated parts. Processes eight bytes at once, which takes a quarter of the time of single
 * bytes.
 */
export function crc32c(...parts: readonly Uint8Array[]): number {
  let crc = -1;
  for (const part of parts) crc = advance(crc, part);
  return ~crc >>> 0;
}

function advance(before: number, bytes: Uint8Array): number {
  // A word is read in the byte order of the machine, so words are used only on little-endian machines and from an
  // aligned offset.
  const start = IS_LITTLE_ENDIAN ? Math.min(-bytes.byteOffset & 3, bytes.length) : bytes.length;
  const end = bytes.length - ((bytes.length - start) % 8);
  const crc = advanceByBytes(before, bytes.subarray(0, start));
  if (start === end) return advanceByBytes(crc, bytes.subarray(start));
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + start, (end - start) / 4);
  return advanceByBytes(advanceByWords(crc, words), bytes.subarray(end));
}

/** Updates the CRC with two words at a time. @param words an even number of words */
function advanceByWords(before: number, words: Int32Array): number {
  let crc = before;
  for (let at = 0; at < words.length; at += 2) {
    const low = words[at]! ^ crc;
    const high = words[at + 1]!;
    crc =
      TABLES[0x700 + (low & 0xff)]! ^
      TABLES[0x600 + ((low >>> 8) & 0xff)]! ^
      TABLES[0x500 + ((low >>> 16) & 0xff)]! ^
      TABLES[0x400 + (low >>> 24)]! ^
      TABLES[0x300 + (high & 0xff)]! ^
      TABLES[0x200 + ((high >>> 8) & 0xff)]! ^
      TABLES[0x100 + ((high >>> 16) & 0xff)]! ^
      TABLES[high >>> 24]!;
  }
  return crc;
}

function advanceByBytes(before: number, bytes: Uint8Array): number {
  let crc = before;
  for (let at = 0; at < bytes.length; at++) crc = TABLES[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8);
  return crc;
}

function tables(): Int32Array {
  const made = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    made[byte] = crc;
  }
  for (let at = 256; at < made.length; at++) made[at] = (made[at - 256]! >>> 8) ^ made[made[at - 256]! & 0xff]!;
  return made;
}
