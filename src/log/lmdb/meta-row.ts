import { checksum64 } from '../../crypto/checksum.js';

/** Returns the value of a fact (a named value in the log), followed by an 8-byte checksum over name and value. */
export function sealMetaRow(name: string, value: Uint8Array): Buffer {
  const bytes = Buffer.alloc(value.length + 8);
  bytes.set(value, 0);
  bytes.writeBigUInt64BE(checksum64(value, checksum64(Buffer.from(name))), value.length);
  return bytes;
}

/** Returns the value of a fact without its checksum, or undefined if the checksum does not match. */
export function openMetaRow(name: string, bytes: Buffer): Buffer | undefined {
  const end = bytes.length - 8;
  if (end < 0) return undefined;
  const value = bytes.subarray(0, end);
  return bytes.readBigUInt64BE(end) === checksum64(value, checksum64(Buffer.from(name))) ? value : undefined;
}
