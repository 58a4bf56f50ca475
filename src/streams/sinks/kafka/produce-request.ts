import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';
import { crc32c } from '../../../primitives/crc32c.js';

/** Records that stand in a request's place until it is written. */
type RecordsOf = (id: number) => Uint8Array | undefined;

/** What a batch has in the place of its records: their id. No record is that short. */
export const PLACEHOLDER_BYTES = 4;

const PRODUCE = 0;
/** Versions whose requests are all laid out alike. */
const VERSIONS = { min: 3, max: 8 };
/** Places in a request. */
const API_KEY = 4;
const API_VERSION = 6;
const CLIENT_ID = 12;
/** Places in a record batch, behind its first offset. */
const BATCH_LENGTH = 8;
const BATCH_CRC = 17;
const BATCH_SUMMED = 21;
const BATCH_RECORDS = 61;

/**
 * A produce request in parts: where a batch has a placeholder, its records, with lengths and checksum as they then are;
 * any other request as it is. kafkajs would copy records seven times on their way into a request, and takes four times
 * as long for the checksum.
 * Reference: Kafka's protocol, Produce, versions 3 to 8; record batch, version 2.
 * @throws {Error} a version that is laid out in another way, an id that nobody knows
 */
export function withRecords(request: Buffer, recordsOf: RecordsOf): readonly Uint8Array[] {
  if (request.length < CLIENT_ID || request.readInt16BE(API_KEY) !== PRODUCE) return [request];
  const version = request.readInt16BE(API_VERSION);
  if (version < VERSIONS.min || version > VERSIONS.max) throw new Error(`a produce request of version ${version}`);
  const parts: Uint8Array[] = [];
  let done = 0;
  let grown = 0;
  for (const { sizeAt, size } of batchesOf(request)) {
    const start = sizeAt + 4;
    const end = start + size;
    if (size !== BATCH_RECORDS + PLACEHOLDER_BYTES) continue;
    const id = request.readUInt32BE(start + BATCH_RECORDS);
    const records = recordsOf(id);
    if (records === undefined) throw new Error(`a batch of encoded records is sent that nobody prepared: ${id}`);
    const more = records.length - PLACEHOLDER_BYTES;
    request.writeInt32BE(size + more, sizeAt);
    request.writeInt32BE(request.readInt32BE(start + BATCH_LENGTH) + more, start + BATCH_LENGTH);
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

/** Of all partitions of all topics. */
function* batchesOf(request: Buffer): Generator<{ readonly sizeAt: number; readonly size: number }> {
  let at = behindText(request, behindText(request, CLIENT_ID));
  at += 2 + 4; // acks, timeout
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

/** Behind a text with its length in two bytes; -1 for none. */
function behindText(request: Buffer, at: number): number {
  return at + 2 + Math.max(0, request.readInt16BE(at));
}

/** Keep-alive of kafkajs's own sockets, ms. */
const KEEP_ALIVE_MS = 60_000;

/** Sockets as kafkajs makes them, that put records in the place of their ids. */
export function socketsWithRecords(recordsOf: RecordsOf): ISocketFactory {
  return ({ host, port, ssl, onConnect }) => {
    const name = isIP(host) === 0 ? { servername: host } : {};
    const socket: Socket = ssl
      ? connectTls({ host, port, ...name, ...ssl }, onConnect)
      : connectPlain({ host, port }, onConnect);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    const write = socket.write.bind(socket) as (bytes: Uint8Array) => boolean;
    // kafkajs writes each request at once, and asks nothing of the answer.
    socket.write = (request: Uint8Array | string): boolean => {
      socket.cork();
      for (const part of withRecords(request as Buffer, recordsOf)) write(part);
      socket.uncork();
      return true;
    };
    return socket;
  };
}
