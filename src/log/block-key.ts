/** Encodes a position in the log (seq) or a height as uint64 big-endian, so that keys sort as numbers. */
export function seqKey(seq: number): Buffer {
  const key = Buffer.allocUnsafe(8);
  key.writeUInt32BE(Math.floor(seq / 0x1_0000_0000), 0);
  key.writeUInt32BE(seq >>> 0, 4);
  return key;
}

/** Decodes the result of {@link seqKey}. Ignores bytes after the first eight. */
export function readSeq(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return view.getUint32(0) * 0x1_0000_0000 + view.getUint32(4);
}
