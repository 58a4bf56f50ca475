import { itemAt } from '../../primitives/assert.js';
import { crc32c } from '../../primitives/crc32c.js';
import { ByteReader, FormatError } from '../byte-reader.js';
import { maskCrc } from './mask-crc.js';

const BLOCK_BYTES = 32_768;
const HEAD_BYTES = 7;
/**
 * Header size in log files that RocksDB has used before (recycled). Their header also contains the number of the log.
 */
const RECYCLED_HEAD_BYTES = HEAD_BYTES + 4;

/** Fragment types. The type shows if a fragment is the first or the last one of its record. */
const PARTS = new Map<number, { readonly isFirst: boolean; readonly isLast: boolean; readonly isRecycled: boolean }>(
  [false, true].flatMap((isRecycled) =>
    [
      { isFirst: true, isLast: true },
      { isFirst: true, isLast: false },
      { isFirst: false, isLast: false },
      { isFirst: false, isLast: true },
    ].map((part, at) => [at + (isRecycled ? 5 : 1), { ...part, isRecycled }] as const),
  ),
);

/** An incomplete record at the end of a log. A killed process can write such a record. */
interface TornRecord {
  readonly bytes: Buffer;
}

/**
 * Reads the records of a write-ahead log or manifest of LevelDB or RocksDB. The file consists of blocks of 32 KiB,
 * and a record is split into fragments. Each fragment has CRC-32C, type and length. Zeros at the end are preallocated
 * space of a memory-mapped log.
 * @returns the incomplete record at the end of the file, if there is one
 * @throws {FormatError} a fragment is corrupt
 */
export function* readRecords(bytes: Buffer): Generator<Buffer, TornRecord | undefined> {
  let parts: Buffer[] = [];
  let at = 0;
  while (at < bytes.length) {
    const left = BLOCK_BYTES - (at % BLOCK_BYTES);
    if (left < HEAD_BYTES) {
      at += left;
      continue;
    }
    if (bytes.length - at < HEAD_BYTES) return torn(parts, bytes.subarray(at));
    const length = bytes.readUInt16LE(at + 4);
    const type = itemAt(bytes, at + 6);
    if (type === 0 && length === 0) {
      if (isZero(bytes, at)) return parts.length > 0 ? torn(parts) : undefined;
      throw new FormatError(`unexpected data after the end of the log, at byte ${at}`);
    }
    const part = PARTS.get(type);
    const end = at + HEAD_BYTES + length;
    if (part === undefined || HEAD_BYTES + length > left) throw new FormatError(`malformed record at byte ${at}`);
    if (end > bytes.length) return torn(parts, bytes.subarray(at + HEAD_BYTES));
    if (new ByteReader(bytes, at).uint32() !== maskCrc(crc32c(bytes.subarray(at + 6, end)))) {
      // Preallocated space that was not written: zeros up to the end of the file.
      if (isZero(bytes, lastWritten(bytes, at, end)) && isZero(bytes, end)) return torn(parts);
      throw new FormatError(`record at byte ${at}: checksum mismatch`);
    }
    if (part.isFirst !== (parts.length === 0))
      throw new FormatError(`record at byte ${at} does not continue the previous record`);
    parts.push(bytes.subarray(at + (part.isRecycled ? RECYCLED_HEAD_BYTES : HEAD_BYTES), end));
    at = end;
    if (!part.isLast) continue;
    yield parts.length === 1 ? itemAt(parts, 0) : Buffer.concat(parts);
    parts = [];
  }
  return parts.length > 0 ? torn(parts) : undefined;
}

function torn(parts: readonly Buffer[], rest: Buffer = Buffer.alloc(0)): TornRecord {
  return { bytes: Buffer.concat([...parts, rest]) };
}

/**
 * Returns the offset at which the zeros at the end of a record start. If the record ends with fewer than 8 zeros, it
 * is complete, and the result is beyond the end of the file.
 */
function lastWritten(bytes: Buffer, from: number, to: number): number {
  let at = to;
  while (at > from && bytes[at - 1] === 0) at--;
  return to - at < 8 ? bytes.length + 1 : at;
}

function isZero(bytes: Buffer, from: number): boolean {
  if (from > bytes.length) return false;
  for (let at = from; at < bytes.length; at++) if (bytes[at] !== 0) return false;
  return true;
}
