// biome-ignore-all lint/style/noNonNullAssertion: every length is checked against the block and the output before it is read
import { FormatError } from '../byte-reader.js';

const MATCH_MIN = 4;

/**
 * Decompresses a raw LZ4 block of a known size. Node has no LZ4 function.
 * @throws {FormatError} the block is malformed
 */
export function uncompressLz4(bytes: Uint8Array, size: number): Buffer {
  const out = Buffer.allocUnsafe(size);
  let at = 0;
  let to = 0;
  const length = (nibble: number): number => {
    let value = nibble;
    if (nibble < 15) return value;
    for (let byte = 255; byte === 255; value += byte) {
      byte = bytes[at++] ?? cutOff();
    }
    return value;
  };
  while (at < bytes.length) {
    const token = bytes[at++]!;
    const literals = length(token >>> 4);
    if (at + literals > bytes.length || to + literals > size) cutOff();
    out.set(bytes.subarray(at, at + literals), to);
    at += literals;
    to += literals;
    if (at === bytes.length) break;
    if (at + 2 > bytes.length) cutOff();
    const distance = bytes[at]! | (bytes[at + 1]! << 8);
    at += 2;
    const match = length(token & 15) + MATCH_MIN;
    if (distance === 0 || distance > to || to + match > size) cutOff();
    // Copies the bytes one by one in ascending order, because the source may overlap the target.
    for (const end = to + match; to < end; to++) out[to] = out[to - distance]!;
  }
  if (to !== size) cutOff();
  return out;
}

function cutOff(): never {
  throw new FormatError('invalid LZ4 block');
}
