import { TronError } from '../primitives/errors.js';

/** An entry of the log on its way to another log: its bytes, and beside an `applied` one its `changes` record. */
export interface LogRecord {
  readonly entry: Uint8Array;
  readonly changes: Uint8Array | undefined;
}

/** Bytes that are no record of this version. */
export class LogRecordError extends TronError<'LOG_RECORD_UNREADABLE'> {
  constructor(message: string) {
    super('LOG_RECORD_UNREADABLE', message);
  }
}

const VERSION = 1;
const HEAD_BYTES = 5;

/** u8 version, u32 length of the entry, the entry as the log stores it, the `changes` record (empty: none). */
export function encodeLogRecord({ entry, changes }: LogRecord): Buffer {
  const bytes = Buffer.allocUnsafeSlow(HEAD_BYTES + entry.length + (changes?.length ?? 0));
  bytes[0] = VERSION;
  bytes.writeUInt32BE(entry.length, 1);
  bytes.set(entry, HEAD_BYTES);
  if (changes !== undefined) bytes.set(changes, HEAD_BYTES + entry.length);
  return bytes;
}

/** What it returns are views into the bytes. @throws {LogRecordError} */
export function decodeLogRecord(bytes: Buffer): LogRecord {
  const version = bytes[0];
  if (version !== VERSION) throw new LogRecordError(`it has version ${version ?? 'none'}, not ${VERSION}`);
  if (bytes.length < HEAD_BYTES) throw new LogRecordError('it is cut off');
  const end = HEAD_BYTES + bytes.readUInt32BE(1);
  if (end > bytes.length) throw new LogRecordError('it is cut off');
  const changes = bytes.subarray(end);
  return { entry: bytes.subarray(HEAD_BYTES, end), changes: changes.length === 0 ? undefined : changes };
}
