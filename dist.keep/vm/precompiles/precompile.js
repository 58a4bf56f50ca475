export const WORD_BYTES = 32;
export function success(data) {
    return { isSuccess: true, data };
}
export const FAILED = { isSuccess: false, data: new Uint8Array(0) };
/** 32 bytes of a number; a negative one as a long with zeros before it. Reference: ByteUtil.longTo32Bytes. */
export function longWord(value) {
    const bytes = Buffer.alloc(WORD_BYTES);
    bytes.writeBigInt64BE(BigInt.asIntN(64, value), 24);
    return bytes;
}
export function booleanWord(value) {
    return longWord(value ? 1n : 0n);
}
/** Word `index` of the input, zeros where there is none. Reference: ByteUtil.parseWord. */
export function wordAt(data, index) {
    const word = new Uint8Array(WORD_BYTES);
    word.set(data.subarray(index * WORD_BYTES, (index + 1) * WORD_BYTES));
    return word;
}
/** A word as a non-negative int; what does not fit is the greatest one. Reference: DataWord.intValueSafe. */
export function safeInt(word) {
    for (let i = 0; i < 28; i++)
        if (word[i] !== 0)
            return 0x7fffffff;
    const value = Buffer.from(word.buffer, word.byteOffset, word.byteLength).readUInt32BE(28);
    return Math.min(value, 0x7fffffff);
}
/** A word as a non-negative long; what does not fit is the greatest one. Reference: DataWord.longValueSafe. */
export function safeLong(word) {
    for (let i = 0; i < 24; i++)
        if (word[i] !== 0)
            return 0x7fffffffffffffffn;
    const value = Buffer.from(word.buffer, word.byteOffset, word.byteLength).readBigInt64BE(24);
    return value < 0n ? 0x7fffffffffffffffn : value;
}
/** Words that the input holds whole. Reference: DataWord.parseArray. */
export function wholeWords(data) {
    return Array.from({ length: Math.floor(data.length / WORD_BYTES) }, (_, i) => wordAt(data, i));
}
/** Address that a word names: its last 20 bytes. */
export function addressAt({ machine }, word) {
    return (machine.state.rules.addressPrefix.toString(16) +
        Buffer.from(word.buffer, word.byteOffset + 12, 20).toString('hex'));
}
/** Energy by words of the input. */
export function perWord(base, each) {
    return (data) => base + Math.floor((data.length + 31) / 32) * each;
}
//# sourceMappingURL=precompile.js.map