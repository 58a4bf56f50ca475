import { checksum64 } from '../log/checksum.js';
import { ByteReader, FormatError } from './byte-reader.js';
import { uncompressBlock } from './compression.js';
import { crc32c, maskCrc } from './crc32c.js';
import { BlockCursor } from './table-block.js';
const TRAILER_BYTES = 5;
const FOOTER_BYTES = 48;
const ROCKS_FOOTER_BYTES = 53;
const LEVELDB_MAGIC = 0xdb4775248b80fb57n;
const ROCKSDB_MAGIC = 0x88e241b785f4cff7n;
/** Later ones have no index in the footer and sums that depend on the place; no release of the reference writes them yet. */
const VERSION_MAX = 5;
const CRC32C = 1;
/** Sum of a block with its type byte, by the kind that the footer names. */
const checksums = new Map([
    [CRC32C, (bytes) => maskCrc(crc32c(bytes))],
    [3, (bytes) => Number(BigInt.asUintN(32, checksum64(bytes)))],
]);
/** Kinds of RocksDB's index: with binary search, with a hash beside it, in two levels. */
const PLAIN_INDEXES = [0, 1];
const TWO_LEVELS = 2;
/** A table of either engine: blocks of sorted internal keys, each with a checksum; read once from begin to end. */
export class SortedTable {
    file;
    footer;
    verify;
    prefix;
    /** Entries that the table says it has; unknown in LevelDB's. */
    entries;
    isDelta;
    indexType;
    /** @throws {FormatError} a file that is no table, or one with parts that the reference does not write */
    constructor(file) {
        this.file = file;
        this.footer = readFooter(file);
        const { version, checksum } = this.footer;
        const verify = checksums.get(checksum);
        if (verify === undefined)
            throw new FormatError(`it has checksums of a kind that is not known here (${checksum})`);
        this.verify = verify;
        this.prefix = version >= 2 ? 'varint' : 'fixed';
        const meta = this.readMeta();
        if (meta.has('rocksdb.range_del'))
            throw new FormatError('it holds deletions of ranges');
        const properties = this.readProperties(meta.get('rocksdb.properties'));
        const entries = properties.get('rocksdb.num.entries');
        this.entries = entries === undefined ? undefined : new ByteReader(entries).varint();
        const type = properties.get('rocksdb.block.based.table.index.type');
        this.indexType = type === undefined ? 0 : new ByteReader(type).uint32();
        const delta = properties.get('rocksdb.index.value.is.delta.encoded');
        this.isDelta = delta !== undefined && new ByteReader(delta).varint() === 1;
        if (!PLAIN_INDEXES.includes(this.indexType) && this.indexType !== TWO_LEVELS) {
            throw new FormatError(`it has an index of a kind that is not known here (${this.indexType})`);
        }
    }
    /** The data blocks in order. @throws {FormatError} */
    *blocks() {
        for (const top of this.handles(this.footer.index)) {
            if (this.indexType !== TWO_LEVELS)
                yield this.block(top);
            else
                for (const handle of this.handles(top))
                    yield this.block(handle);
        }
    }
    *handles(index) {
        const cursor = new BlockCursor({ hasValueLengths: !this.isDelta, tailBytes: 0 });
        cursor.open(this.block(index));
        let before;
        while (cursor.next()) {
            const reader = new ByteReader(cursor.block, cursor.valueAt);
            if (this.isDelta && cursor.shared > 0 && before !== undefined) {
                before = { offset: before.offset + before.size + TRAILER_BYTES, size: before.size + signed(reader.varint()) };
            }
            else
                before = readHandle(reader);
            if (this.isDelta)
                cursor.valueEnd = reader.at;
            yield before;
        }
    }
    block({ offset, size }) {
        const bytes = this.file.read(offset, size + TRAILER_BYTES);
        const stored = bytes.readUInt32LE(size + 1);
        if (this.verify(bytes.subarray(0, size + 1)) !== stored) {
            throw new FormatError(`the block at ${offset} is not what was written`);
        }
        return uncompressBlock(bytes[size], bytes.subarray(0, size), this.prefix);
    }
    readMeta() {
        return new Map([...this.pairs(this.footer.metaindex)].map(([name, value]) => [name, readHandle(new ByteReader(value))]));
    }
    readProperties(handle) {
        return handle === undefined ? new Map() : new Map(this.pairs(handle));
    }
    *pairs(handle) {
        const cursor = new BlockCursor();
        cursor.open(this.block(handle));
        while (cursor.next())
            yield [cursor.key.toString('latin1', 0, cursor.keyBytes), cursor.value];
    }
}
function readFooter(file) {
    if (file.size < FOOTER_BYTES)
        throw new FormatError('it is too short for a table');
    const magic = file.read(file.size - 8, 8).readBigUInt64LE();
    if (magic === LEVELDB_MAGIC) {
        const reader = new ByteReader(file.read(file.size - FOOTER_BYTES, FOOTER_BYTES));
        return { metaindex: readHandle(reader), index: readHandle(reader), version: 0, checksum: CRC32C };
    }
    if (magic !== ROCKSDB_MAGIC || file.size < ROCKS_FOOTER_BYTES)
        throw new FormatError('it does not end as a table does');
    const reader = new ByteReader(file.read(file.size - ROCKS_FOOTER_BYTES, ROCKS_FOOTER_BYTES));
    const checksum = reader.byte();
    const version = reader.bytes.readUInt32LE(41);
    if (version > VERSION_MAX)
        throw new FormatError(`it is a table of version ${version}, newer than any known here`);
    return { metaindex: readHandle(reader), index: readHandle(reader), version, checksum };
}
function readHandle(reader) {
    return { offset: reader.varint(), size: reader.varint() };
}
/** Numbers with a sign, the small ones short in either direction. */
function signed(value) {
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
//# sourceMappingURL=sorted-table.js.map