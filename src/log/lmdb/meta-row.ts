import { checksum64 } from '../../crypto/checksum.js';

/** A small fact with its checksum over name and value, 8 bytes at the end. */
export function sealMetaRow(name: string, value: Uint8Array): Buffer {
  const bytes = Buffer.alloc(value.length + 8);
  bytes.set(value, 0);
  bytes.writeBigUInt64BE(checksum64(value, checksum64(Buffer.from(name))), value.length);
  return bytes;
}

/** The fact without its checksum, `undefined` when it is not what {@link sealMetaRow} wrote. */
export function openMetaRow(name: string, bytes: Buffer): Buffer | undefined {
  const end = bytes.length - 8;
  if (end < 0) return undefined;
  const value = bytes.subarray(0, end);
  return bytes.readBigUInt64BE(end) === checksum64(value, checksum64(Buffer.from(name))) ? value : undefined;
}
