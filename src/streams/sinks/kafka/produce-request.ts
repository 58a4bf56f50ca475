import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';
import { crc32c } from '../../../primitives/crc32c.js';
import type { BatchRecords } from './encode-record.js';

/** Returns the records of a batch by its id. In the request, the id is a placeholder for the records. */
type RecordsOf = (id: number) => BatchRecords | undefined;

/**
 * Size of a placeholder in bytes: the batch id that a request contains instead of the records. Real records are longer.
 */
export const PLACEHOLDER_BYTES = 4;

const PRODUCE = 0;
/** Supported versions of produce requests. All have the same layout. */
const VERSIONS = { min: 3, max: 8 };
/** Byte offset of the API key in a request. */
const API_KEY = 4;
/** Byte offset of the API version in a request. */
const API_VERSION = 6;
/** Byte offset of the client id in a request. */
const CLIENT_ID = 12;
/** Byte offset of the batch length, from the start of a record batch (its base offset field). */
const BATCH_LENGTH = 8;
/** Byte offset of the checksum, from the start of a record batch. */
const BATCH_CRC = 17;
/** Byte offset of the first byte that the checksum covers, from the start of a record batch. */
const BATCH_SUMMED = 21;
/** Byte offset of the lowest timestamp, from the start of a record batch. */
const BATCH_FIRST_MS = 27;
/** Byte offset of the highest timestamp, from the start of a record batch. */
const BATCH_LAST_MS = 35;
/** Byte offset of the records, from the start of a record batch. */
const BATCH_RECORDS = 61;

/**
 * Replaces each batch id (placeholder) in a produce request by the records of that batch. Corrects lengths, timestamps
 * and checksums. Returns the request in parts, without copying the records. Returns other requests unchanged.
 *
 * kafkajs itself would copy records seven times, and need four times as long for the checksum. Reference: Kafka's
 * protocol, Produce, versions 3 to 8; record batch, version 2.
 * @throws {Error} the version is not supported, or the id is unknown
 */
export function withRecords(request: Buffer, recordsOf: RecordsOf): readonly Uint8Array[] {
  if (request.length < CLIENT_ID || request.readInt16BE(API_KEY) !== PRODUCE) return [request];
  const version = request.readInt16BE(API_VERSION);
  if (version < VERSIONS.min || version > VERSIONS.max)
    throw new Error(
      `internal error: kafkajs chose version ${version} of the produce request, which this sink does not support`,
    );
  const parts: Uint8Array[] = [];
  let done = 0;
  let grown = 0;
  for (const { sizeAt, size } of batchesOf(request)) {
    const start = sizeAt + 4;
    const end = start + size;
    if (size !== BATCH_RECORDS + PLACEHOLDER_BYTES) continue;
    const id = request.readUInt32BE(start + BATCH_RECORDS);
    const batch = recordsOf(id);
    if (batch === undefined) throw new Error(`internal error: no encoded records for the placeholder ${id}`);
    const { bytes: records, firstMs, lastMs } = batch;
    const more = records.length - PLACEHOLDER_BYTES;
    request.writeInt32BE(size + more, sizeAt);
    request.writeInt32BE(request.readInt32BE(start + BATCH_LENGTH) + more, start + BATCH_LENGTH);
    request.writeBigInt64BE(BigInt(firstMs), start + BATCH_FIRST_MS);
    request.writeBigInt64BE(BigInt(lastMs), start + BATCH_LAST_MS);
    const head = request.subarray(start + BATCH_SUMMED, start + BATCH_RECORDS);
    request.writeUInt32BE(crc32c(head, records), start + BATCH_CRC);
    parts.push(request.subarray(done, start + BATCH_RECORDS), records);
    done = end;
    grown += more;
  }
  request.writeInt32BE(request.readInt32BE(0) + grown, 0);
  if (done < request.length) parts.push(request.subarray(done));
  return parts;
}

/** Yields the batches of all partitions of all topics, with the byte offset and the value of their size field. */
function* batchesOf(request: Buffer): Generator<{ readonly sizeAt: number; readonly size: number }> {
  let at = behindText(request, behindText(request, CLIENT_ID));
  at += 2 + 4; // Skips the fields `acks` and `timeout`.
  const topics = request.readInt32BE(at);
  at += 4;
  for (let topic = 0; topic < topics; topic++) {
    at = behindText(request, at);
    const partitions = request.readInt32BE(at);
    at += 4;
    for (let partition = 0; partition < partitions; partition++) {
      const sizeAt = at + 4;
      const size = request.readInt32BE(sizeAt);
      yield { sizeAt, size };
      at = sizeAt + 4 + size;
    }
  }
}

/** Returns the offset after a text with a two-byte length. The length -1 means that the text is absent. */
function behindText(request: Buffer, at: number): number {
  return at + 2 + Math.max(0, request.readInt16BE(at));
}

/** Keep-alive time that kafkajs uses for its own sockets, in ms. */
const KEEP_ALIVE_MS = 60_000;

/**
 * Creates a socket factory for kafkajs. Its sockets replace the batch ids (placeholders) in each request by the
 * records.
 */
export function socketsWithRecords(recordsOf: RecordsOf): ISocketFactory {
  return ({ host, port, ssl, onConnect }) => {
    const name = isIP(host) === 0 ? { servername: host } : {};
    const socket: Socket = ssl
      ? connectTls({ host, port, ...name, ...ssl }, onConnect)
      : connectPlain({ host, port }, onConnect);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    const write = socket.write.bind(socket) as (bytes: Uint8Array) => boolean;
    // kafkajs writes each request in one call and ignores the return value.
    socket.write = (request: Uint8Array | string): boolean => {
      socket.cork();
      for (const part of withRecords(request as Buffer, recordsOf)) write(part);
      socket.uncork();
      return true;
    };
    return socket;
  };
}
