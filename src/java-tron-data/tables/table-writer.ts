import { writeFileSync } from 'node:fs';
import { compress } from '../../codec/snappy.js';
import { varint } from '../../primitives/bytes.js';
import { crc32c } from '../../primitives/crc32c.js';
import { maskCrc } from './mask-crc.js';
import { FOOTER_BYTES } from './sorted-table.js';

/** Uncompressed size of a block in bytes, as in LevelDB. */
const BLOCK_BYTES = 4096;
/** Number of entries between two restart points of a block, as in LevelDB. */
const RESTART_INTERVAL = 16;
const MAGIC = 0xdb4775248b80fb57n;
const SNAPPY = 1;
const PLAIN = 0;

/**
 * Builds one data block of a LevelDB table. An entry at a restart point stores its whole key. Every other entry omits
 * the prefix that its key shares with the previous key.
 */
class BlockBuilder {
  private parts: Uint8Array[] = [];
  private restarts: number[] = [];
  private last: Uint8Array = new Uint8Array(0);
  private entries = 0;
  bytes = 0;

  add(key: Uint8Array, value: Uint8Array, interval: number): void {
    let shared = 0;
    if (this.entries % interval === 0) this.restarts.push(this.bytes);
    else while (shared < key.length && key[shared] === this.last[shared]) shared++;
    const head = Buffer.from([...varint(shared), ...varint(key.length - shared), ...varint(value.length)]);
    this.parts.push(head, key.subarray(shared), value);
    this.bytes += head.length + key.length - shared + value.length;
    this.last = key;
    this.entries++;
  }

  finish(): Buffer {
    const restarts = this.restarts.length === 0 ? [0] : this.restarts;
    const tail = Buffer.alloc((restarts.length + 1) * 4);
    for (const [at, position] of [...restarts, restarts.length].entries()) tail.writeUInt32LE(position, at * 4);
    return Buffer.concat([...this.parts, tail]);
  }
}

/**
 * Writes a LevelDB table. The caller must add internal keys in ascending order. The writer retains keys until the end
 * of their block, so the caller must not modify them.
 */
export class TableWriter {
  /** Number of bytes written. */
  size = 0;
  private readonly file: number;
  private block = new BlockBuilder();
  private readonly index = new BlockBuilder();
  private last: Uint8Array = new Uint8Array(0);

  /** Starts a table. @param file descriptor of a file open for writing; the caller flushes and closes the file */
  constructor(file: number) {
    this.file = file;
  }

  add(key: Uint8Array, value: Uint8Array): void {
    this.block.add(key, value, RESTART_INTERVAL);
    this.last = key;
    if (this.block.bytes >= BLOCK_BYTES) this.endBlock();
  }

  finish(): void {
    this.endBlock();
    const metaindex = this.write(new BlockBuilder().finish());
    const index = this.write(this.index.finish());
    const footer = Buffer.alloc(FOOTER_BYTES);
    footer.set([...metaindex, ...index], 0);
    footer.writeBigUInt64LE(MAGIC, FOOTER_BYTES - 8);
    this.append(footer);
  }

  private endBlock(): void {
    if (this.block.bytes === 0) return;
    const handle = this.write(this.block.finish());
    this.index.add(this.last, Buffer.from(handle), 1);
    this.block = new BlockBuilder();
  }

  /** Writes a block with its trailer. @returns the handle of the block */
  private write(plain: Buffer): number[] {
    const packed = compress(plain);
    // As in LevelDB, a block is stored uncompressed if compression saves less than an eighth of its size.
    const isPacked = packed.length < plain.length - plain.length / 8;
    const body = isPacked ? packed : plain;
    const bytes = Buffer.alloc(body.length + 5);
    bytes.set(body, 0);
    bytes[body.length] = isPacked ? SNAPPY : PLAIN;
    bytes.writeUInt32LE(maskCrc(crc32c(bytes.subarray(0, body.length + 1))), body.length + 1);
    const handle = [...varint(this.size), ...varint(body.length)];
    this.append(bytes);
    return handle;
  }

  private append(bytes: Buffer): void {
    writeFileSync(this.file, bytes);
    this.size += bytes.length;
  }
}
