/** uint64 big-endian: keys by seq and by height sort as numbers. */
export function seqKey(seq) {
    const key = Buffer.allocUnsafe(8);
    key.writeUInt32BE(Math.floor(seq / 0x1_0000_0000), 0);
    key.writeUInt32BE(seq >>> 0, 4);
    return key;
}
/** The number of a {@link seqKey}; bytes behind it are ignored. */
export function readSeq(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return view.getUint32(0) * 0x1_0000_0000 + view.getUint32(4);
}
//# sourceMappingURL=block-key.js.map