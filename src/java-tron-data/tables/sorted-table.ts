import { createXXHash3 } from 'hash-wasm';
import { checksum64 } from '../../crypto/checksum.js';
import { itemAt } from '../../primitives/assert.js';
import { crc32c } from '../../primitives/crc32c.js';
import { ByteReader, FormatError } from '../byte-reader.js';
import type { RandomFile } from '../random-file.js';
import { type SizePrefix, uncompressBlock } from './compression.js';
import { maskCrc } from './mask-crc.js';
import { BlockCursor } from './table-block.js';

/** Offset and size of a block in the file. The size does not include the trailer of the block. */
interface BlockHandle {
  readonly offset: number;
  readonly size: number;
}

interface Footer {
  readonly metaindex: BlockHandle;
  /** Location of the index block. Undefined since version 6, in which the metaindex block contains it. */
  readonly index: BlockHandle | undefined;
  /** Version of the table format; 0 for LevelDB and the oldest RocksDB format. */
  readonly version: number;
  readonly checksum: number;
  /**
   * Number that is mixed into each block's checksum together with the block's offset (see `contextOf`); 0 in tables
   * before version 6.
   */
  readonly context: number;
}

const TRAILER_BYTES = 5;
export const FOOTER_BYTES = 48;
const ROCKS_FOOTER_BYTES = 53;
const LEVELDB_MAGIC = 0xdb4775248b80fb57n;
const ROCKSDB_MAGIC = 0x88e241b785f4cff7n;
/**
 * Highest supported version of the table format. RocksDB 9 writes this version; java-tron 4.8.2 uses RocksDB 9 on
 * ARM. Other releases write version 5.
 */
const VERSION_MAX = 6;
/** First version whose footer contains no block handles, and whose block checksums depend on the block offset. */
const CONTEXT_VERSION = 6;
/** Magic number of a footer since version 6, stored after the checksum type. */
const EXTENDED_MAGIC = 0x007a003e;
const CRC32C = 1;

const LAST_BYTE_PRIME = 0x6b9083d9;
const xxh3 = await createXXHash3();

/** Checksum functions by the checksum type in the footer. Their argument is a block with its type byte. */
const checksums: ReadonlyMap<number, (bytes: Buffer) => number> = new Map([
  [CRC32C, (bytes) => maskCrc(crc32c(bytes))],
  [3, (bytes) => Number(BigInt.asUintN(32, checksum64(bytes)))],
  [4, (bytes) => xxh3OfBlock(bytes)],
]);

/**
 * Index types of RocksDB with one level: binary search, and binary search with a hash. Both are read in the same way.
 */
const PLAIN_INDEXES = [0, 1];
/** Index type of RocksDB with two levels of index blocks. */
const TWO_LEVELS = 2;

/**
 * A table of LevelDB or RocksDB: blocks of sorted internal keys with checksums. A table is read once, from start to
 * end.
 */
export class SortedTable {
  private readonly file: RandomFile;
  private readonly footer: Footer;
  private readonly verify: (bytes: Buffer) => number;
  private readonly index: BlockHandle;
  private readonly prefix: SizePrefix;
  /** Number of entries according to the table properties. Undefined for LevelDB, whose tables have no properties. */
  readonly entries: number | undefined;
  private readonly isDelta: boolean;
  private readonly indexType: number;

  /**
   * Reads footer and index.
   * @throws {FormatError} the file is not a table, or has features that java-tron does not use
   */
  constructor(file: RandomFile) {
    this.file = file;
    this.footer = readFooter(file);
    const { version, checksum } = this.footer;
    const verify = checksums.get(checksum);
    if (verify === undefined) throw new FormatError(`unknown table checksum type ${checksum}`);
    this.verify = verify;
    this.prefix = version >= 2 ? 'varint' : 'fixed';
    const meta = this.readMeta();
    const index = this.footer.index ?? meta.get('rocksdb.index');
    if (index === undefined) throw new FormatError('table has no index');
    this.index = index;
    if (meta.has('rocksdb.range_del')) throw new FormatError('table contains range deletions, which are not supported');
    const properties = this.readProperties(meta.get('rocksdb.properties'));
    const entries = properties.get('rocksdb.num.entries');
    this.entries = entries === undefined ? undefined : new ByteReader(entries).varint();
    const type = properties.get('rocksdb.block.based.table.index.type');
    this.indexType = type === undefined ? 0 : new ByteReader(type).uint32();
    const delta = properties.get('rocksdb.index.value.is.delta.encoded');
    this.isDelta = delta !== undefined && new ByteReader(delta).varint() === 1;
    if (!PLAIN_INDEXES.includes(this.indexType) && this.indexType !== TWO_LEVELS) {
      throw new FormatError(`unknown table index type ${this.indexType}`);
    }
  }

  /** Iterates over the data blocks in key order. @throws {FormatError} a block is damaged */
  *blocks(): IterableIterator<Buffer> {
    for (const top of this.handles(this.index)) {
      if (this.indexType !== TWO_LEVELS) yield this.block(top);
      else for (const handle of this.handles(top)) yield this.block(handle);
    }
  }

  private *handles(index: BlockHandle): IterableIterator<BlockHandle> {
    const cursor = new BlockCursor({ hasValueLengths: !this.isDelta, tailBytes: 0 });
    cursor.open(this.block(index));
    let before: BlockHandle | undefined;
    while (cursor.next()) {
      const reader = new ByteReader(cursor.block, cursor.valueAt);
      if (this.isDelta && cursor.shared > 0 && before !== undefined) {
        before = { offset: before.offset + before.size + TRAILER_BYTES, size: before.size + signed(reader.varint()) };
      } else before = readHandle(reader);
      if (this.isDelta) cursor.valueEnd = reader.at;
      yield before;
    }
  }

  private block({ offset, size }: BlockHandle): Buffer {
    const bytes = this.file.read(offset, size + TRAILER_BYTES);
    const stored = bytes.readUInt32LE(size + 1);
    const sum = (this.verify(bytes.subarray(0, size + 1)) + contextOf(this.footer, offset)) >>> 0;
    if (sum !== stored) {
      throw new FormatError(`table block at byte ${offset}: checksum mismatch`);
    }
    return uncompressBlock(itemAt(bytes, size), bytes.subarray(0, size), this.prefix);
  }

  private readMeta(): Map<string, BlockHandle> {
    return new Map(
      [...this.pairs(this.footer.metaindex)].map(([name, value]) => [name, readHandle(new ByteReader(value))]),
    );
  }

  private readProperties(handle: BlockHandle | undefined): Map<string, Buffer> {
    return handle === undefined ? new Map() : new Map(this.pairs(handle));
  }

  private *pairs(handle: BlockHandle): IterableIterator<[string, Buffer]> {
    const cursor = new BlockCursor();
    cursor.open(this.block(handle));
    while (cursor.next()) yield [cursor.key.toString('latin1', 0, cursor.keyBytes), cursor.value];
  }
}

function readFooter(file: RandomFile): Footer {
  if (file.size < FOOTER_BYTES) throw new FormatError('file is too short for a table');
  const magic = file.read(file.size - 8, 8).readBigUInt64LE();
  if (magic === LEVELDB_MAGIC) {
    const reader = new ByteReader(file.read(file.size - FOOTER_BYTES, FOOTER_BYTES));
    return { metaindex: readHandle(reader), index: readHandle(reader), version: 0, checksum: CRC32C, context: 0 };
  }
  if (magic !== ROCKSDB_MAGIC || file.size < ROCKS_FOOTER_BYTES) throw new FormatError('file has no table footer');
  const at = file.size - ROCKS_FOOTER_BYTES;
  const reader = new ByteReader(Buffer.from(file.read(at, ROCKS_FOOTER_BYTES)));
  const checksum = reader.byte();
  const version = reader.bytes.readUInt32LE(41);
  if (version > VERSION_MAX) throw new FormatError(`table version ${version} is not supported, maximum ${VERSION_MAX}`);
  if (version >= CONTEXT_VERSION) return readContextFooter(reader.bytes, { at, version, checksum });
  return { metaindex: readHandle(reader), index: readHandle(reader), version, checksum, context: 0 };
}

/**
 * Reads the footer of version 6: u8 checksum type, u32 magic, u32 checksum of the footer, u32 context, u32 size of the
 * metaindex. The metaindex block ends where the footer starts.
 */
function readContextFooter(
  bytes: Buffer,
  { at, version, checksum }: { readonly at: number; readonly version: number; readonly checksum: number },
): Footer {
  const [magic, stored, context, size] = [1, 5, 9, 13].map((from) => bytes.readUInt32LE(from)) as [
    number,
    number,
    number,
    number,
  ];
  const offset = at - TRAILER_BYTES - size;
  const footer = { metaindex: { offset, size }, index: undefined, version, checksum, context };
  bytes.writeUInt32LE(0, 5);
  const sum = checksums.get(checksum)?.(bytes);
  const isRight = sum === undefined || (sum + contextOf(footer, at)) >>> 0 === stored;
  if (magic !== EXTENDED_MAGIC || offset < 0 || !isRight) throw new FormatError('table footer is corrupt');
  return footer;
}

/**
 * Returns the value that is added to the checksum of the block at an offset, so that the checksum also detects a block
 * at a wrong offset. Reference: RocksDB's ChecksumModifierForContext.
 */
function contextOf({ context }: Pick<Footer, 'context'>, offset: number): number {
  if (context === 0) return 0;
  return (context ^ ((offset >>> 0) + Math.floor(offset / 2 ** 32))) >>> 0;
}

/**
 * Returns the lower 32 bits of the XXH3 hash of all bytes except the last, combined with the last byte.
 * Reference: RocksDB's ComputeBuiltinChecksum.
 */
function xxh3OfBlock(bytes: Buffer): number {
  const last = bytes.length - 1;
  const digest = xxh3.init().update(bytes.subarray(0, last)).digest('binary');
  const low = Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).readUInt32BE(4);
  return (low ^ Math.imul(itemAt(bytes, last), LAST_BYTE_PRIME)) >>> 0;
}

function readHandle(reader: ByteReader): BlockHandle {
  return { offset: reader.varint(), size: reader.varint() };
}

/** Decodes a zigzag number, in which the lowest bit is the sign. */
function signed(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
