import { inflateRawSync } from 'node:zlib';
import { uncompress } from '../../codec/snappy.js';
import { ByteReader, FormatError } from '../byte-reader.js';
import { uncompressLz4 } from './lz4.js';

/** Maximum block size in bytes. It prevents large allocations if the size is read from damaged data. */
const BLOCK_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Encoding of the uncompressed size before the compressed bytes. RocksDB changed this encoding with version 2 of its
 * tables.
 */
export type SizePrefix = 'varint' | 'fixed';

/**
 * Decompresses one block. There is one function for each compression type, which the trailer of a block contains.
 * LevelDB uses types 0 and 1.
 */
type Uncompress = (bytes: Buffer, prefix: SizePrefix) => Buffer;

const types: ReadonlyMap<number, Uncompress> = new Map<number, Uncompress>([
  [0, (bytes) => bytes],
  [1, uncompressSnappy],
  [2, (bytes, prefix) => sized(bytes, prefix, (body, size) => inflateRawSync(body, { maxOutputLength: size }))],
  [4, (bytes, prefix) => sized(bytes, prefix, uncompressLz4)],
  [5, (bytes, prefix) => sized(bytes, prefix, uncompressLz4)],
]);

/**
 * Decompresses a block of a table file. @throws {FormatError} java-tron does not use this type of compression, or the
 * data is malformed
 */
export function uncompressBlock(type: number, bytes: Buffer, prefix: SizePrefix): Buffer {
  const read = types.get(type);
  if (read === undefined) throw new FormatError(`unknown compression type ${type} of a table block`);
  try {
    return read(bytes, prefix);
  } catch (cause) {
    if (cause instanceof FormatError) throw cause;
    throw new FormatError('table block cannot be decompressed', { cause });
  }
}

function uncompressSnappy(bytes: Buffer): Buffer {
  checkSize(new ByteReader(bytes).varint());
  const plain = uncompress(bytes);
  if (plain === undefined) throw new FormatError('table block cannot be decompressed');
  return plain;
}

function sized(bytes: Buffer, prefix: SizePrefix, uncompress: (body: Buffer, size: number) => Buffer): Buffer {
  const reader = new ByteReader(bytes);
  const size = prefix === 'varint' ? reader.varint() : Number(reader.uint64());
  checkSize(size);
  const block = uncompress(bytes.subarray(reader.at), size);
  if (block.length !== size)
    throw new FormatError(`decompressed table block has ${block.length} bytes, expected ${size}`);
  return block;
}

function checkSize(size: number): void {
  if (size > BLOCK_BYTES_MAX) throw new FormatError(`table block of ${size} bytes exceeds the limit`);
}
