import { TronError } from '../primitives/errors.js';

/** A log entry in transit to another log: its bytes, and the `changes` record of an `applied` entry. */
export interface LogRecord {
  readonly entry: Uint8Array;
  readonly changes: Uint8Array | undefined;
}

/** Thrown for bytes that are not a record of this version. */
export class LogRecordError extends TronError<'LOG_RECORD_UNREADABLE'> {
  constructor(message: string) {
    super('LOG_RECORD_UNREADABLE', message);
  }
}

const VERSION = 1;
const HEAD_BYTES = 5;

/** Encodes a record: u8 version, u32 length of the entry, the stored entry, the `changes` record (may be empty). */
export function encodeLogRecord({ entry, changes }: LogRecord): Buffer {
  const bytes = Buffer.allocUnsafeSlow(HEAD_BYTES + entry.length + (changes?.length ?? 0));
  bytes[0] = VERSION;
  bytes.writeUInt32BE(entry.length, 1);
  bytes.set(entry, HEAD_BYTES);
  if (changes !== undefined) bytes.set(changes, HEAD_BYTES + entry.length);
  return bytes;
}

/**
 * Decodes a record. The result contains views into the bytes.
 * @throws {LogRecordError} the bytes are no record of this version
 */
export function decodeLogRecord(bytes: Buffer): LogRecord {
  const version = bytes[0];
  if (version !== VERSION) throw new LogRecordError(`record version ${version ?? 'missing'}, expected ${VERSION}`);
  if (bytes.length < HEAD_BYTES) throw new LogRecordError('record is truncated');
  const end = HEAD_BYTES + bytes.readUInt32BE(1);
  if (end > bytes.length) throw new LogRecordError('record is truncated');
  const changes = bytes.subarray(end);
  return { entry: bytes.subarray(HEAD_BYTES, end), changes: changes.length === 0 ? undefined : changes };
}
