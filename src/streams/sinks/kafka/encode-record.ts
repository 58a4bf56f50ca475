import { itemAt } from '../../../primitives/assert.js';

/**
 * Encodes the body of a record: key, value and headers, each after its length. {@link encodeRecords} writes the fields
 * before the body (length, attributes, time, offset). Reference: Kafka's record format, version 2.
 * @param headers concatenated results of {@link encodeHeader}
 */
export function encodeRecordBody(key: string, value: string | Uint8Array, headers: RecordHeaders): Buffer {
  const [keyLength, valueLength] = [Buffer.byteLength(key), Buffer.byteLength(value)];
  const length =
    varintLength(keyLength) + keyLength + varintLength(valueLength) + valueLength + 1 + headers.bytes.length;
  const body = allocate(length);
  let at = writeVarint(body, keyLength, 0);
  at += body.write(key, at);
  at = writeVarint(body, valueLength, at);
  if (typeof value === 'string') body.write(value, at);
  else body.set(value, at);
  at = writeVarint(body, headers.count, at + valueLength);
  body.write(headers.bytes, at, 'latin1');
  return body;
}

/**
 * Size of the shared buffer in bytes. A record above an eighth of this size gets its own buffer. The buffer pool of
 * Node.js has only 8 kB, and is full after about seven records.
 */
const SHARED_BYTES = 256 * 1024;
let shared = Buffer.alloc(0);
let used = 0;

function allocate(length: number): Buffer {
  if (length > SHARED_BYTES / 8) return Buffer.allocUnsafeSlow(length);
  if (used + length > shared.length) {
    shared = Buffer.allocUnsafeSlow(SHARED_BYTES);
    used = 0;
  }
  used += length;
  return shared.subarray(used - length, used);
}

/**
 * Encoded headers of one record. `bytes` is text with one character per byte, because joining texts is faster than
 * joining buffers.
 */
interface RecordHeaders {
  /** Number of headers, below 64. */
  readonly count: number;
  readonly bytes: string;
}

/** Encodes a header. Name and value must be ASCII with fewer than 8192 characters. */
export function encodeHeader(name: string, value: string | number): string {
  const text = String(value);
  return `${lengthText(name.length)}${name}${lengthText(text.length)}${text}`;
}

/** Returns a length as a varint of one or two bytes. */
function lengthText(length: number): string {
  const zigzag = length * 2;
  return zigzag < 0x80 ? String.fromCharCode(zigzag) : String.fromCharCode((zigzag & 0x7f) | 0x80, zigzag >>> 7);
}

/** Maximum size in bytes of the fields that {@link encodeRecords} writes before the body of a record. */
export const RECORD_HEAD_BYTES = 20;

/** Encoded key, value and headers of a record, with its timestamp. */
export interface TimedBody {
  readonly body: Buffer;
  /** Timestamp of the record in ms since 1970, not negative. */
  readonly timeMs: number;
}

/** Encoded records of one batch, with the range of their timestamps. */
export interface BatchRecords {
  readonly bytes: Buffer;
  /** Lowest timestamp of the records, in ms since 1970. */
  readonly firstMs: number;
  /** Highest timestamp of the records, in ms since 1970. */
  readonly lastMs: number;
}

/** Encodes the records of one batch, in the given order. */
export function encodeRecords(batch: readonly TimedBody[]): BatchRecords {
  let bytes = 0;
  let firstMs = Number.MAX_SAFE_INTEGER;
  let lastMs = 0;
  for (const { body, timeMs } of batch) {
    bytes += RECORD_HEAD_BYTES + body.length;
    if (timeMs < firstMs) firstMs = timeMs;
    if (timeMs > lastMs) lastMs = timeMs;
  }
  const records = Buffer.allocUnsafe(bytes);
  let at = 0;
  for (let index = 0; index < batch.length; index++) {
    const { body, timeMs } = itemAt(batch, index);
    const laterMs = timeMs - firstMs;
    at = writeVarint(records, 1 + varintLength(laterMs) + varintLength(index) + body.length, at);
    // Attributes of the record: 0, because Kafka defines no attribute flags for records.
    records[at++] = 0;
    at = writeVarint(records, laterMs, at);
    at = writeVarint(records, index, at);
    records.set(body, at);
    at += body.length;
  }
  return { bytes: records.subarray(0, at), firstMs, lastMs };
}

/** Writes a non-negative number as a zigzag varint. @returns the offset after it */
function writeVarint(target: Uint8Array, value: number, at: number): number {
  let rest = value * 2;
  let position = at;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) target[position++] = (rest & 0x7f) | 0x80;
  target[position++] = rest;
  return position;
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value * 2; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++;
  return length;
}
