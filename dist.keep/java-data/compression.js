import { inflateRawSync } from 'node:zlib';
import { uncompressSync } from 'snappy';
import { ByteReader, FormatError } from './byte-reader.js';
import { uncompressLz4 } from './lz4.js';
/** More than any block that the engines write; a size that is read from damaged bytes must not become an allocation. */
const BLOCK_BYTES_MAX = 256 * 1024 * 1024;
const types = new Map([
    [0, (bytes) => bytes],
    [1, uncompressSnappy],
    [2, (bytes, prefix) => sized(bytes, prefix, (body, size) => inflateRawSync(body, { maxOutputLength: size }))],
    [4, (bytes, prefix) => sized(bytes, prefix, uncompressLz4)],
    [5, (bytes, prefix) => sized(bytes, prefix, uncompressLz4)],
]);
/** @throws {FormatError} a type that the reference does not write, or bytes that are none of it */
export function uncompressBlock(type, bytes, prefix) {
    const uncompress = types.get(type);
    if (uncompress === undefined)
        throw new FormatError(`a block is compressed in a way that is not known here (${type})`);
    try {
        return uncompress(bytes, prefix);
    }
    catch (cause) {
        if (cause instanceof FormatError)
            throw cause;
        throw new FormatError('a block cannot be uncompressed', { cause });
    }
}
function uncompressSnappy(bytes) {
    checkSize(new ByteReader(bytes).varint());
    // Copied into V8's memory: what snappy allocates itself is freed in a turn of the event loop, and reading a store is one turn.
    return uncompressSync(bytes, { asBuffer: true, copyOutputData: true });
}
function sized(bytes, prefix, uncompress) {
    const reader = new ByteReader(bytes);
    const size = prefix === 'varint' ? reader.varint() : Number(reader.uint64());
    checkSize(size);
    const block = uncompress(bytes.subarray(reader.at), size);
    if (block.length !== size)
        throw new FormatError('a block has another size than it says');
    return block;
}
function checkSize(size) {
    if (size > BLOCK_BYTES_MAX)
        throw new FormatError(`a block says that it has ${size} bytes`);
}
//# sourceMappingURL=compression.js.map