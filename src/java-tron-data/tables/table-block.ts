import { itemAt } from '../../primitives/assert.js';
import { FormatError } from '../byte-reader.js';

/** Flag in the number of restart points of a RocksDB block: a hash index follows the restart points. */
const HASH_INDEX = 0x8000_0000;
/** Maximum key size in bytes. It prevents large allocations if a length is read from damaged data. */
const KEY_BYTES_MAX = 1024 * 1024;

interface BlockForm {
  /**
   * True if values have a length prefix. False in the index of RocksDB since version 4, whose values are delta-encoded
   * block handles.
   */
  readonly hasValueLengths: boolean;
  /**
   * Size in bytes of the key suffix (sequence number and type). The check of the ascending order ignores this suffix.
   */
  readonly tailBytes: number;
}

const PLAIN: BlockForm = { hasValueLengths: true, tailBytes: 0 };

/**
 * Iterates over the entries of one block. An entry in the block contains only the part of its key that differs from
 * the previous key.
 */
export class BlockCursor {
  /** Buffer whose first {@link keyBytes} bytes are the current key. {@link next} overwrites the buffer. */
  key: Buffer = Buffer.allocUnsafe(256);
  keyBytes = 0;
  /** Number of bytes that the key shares with the previous key. */
  shared = 0;
  valueAt = 0;
  valueEnd = 0;
  block: Buffer = Buffer.alloc(0);
  private readonly form: BlockForm;
  /**
   * Comparison of the current key with the previous key, which may be in the previous block. Negative if the current
   * key is lower; 0 if the keys differ only in the suffix.
   */
  order = 1;
  private at = 0;
  private end = 0;
  private isFirst = true;

  constructor(form: BlockForm = PLAIN) {
    this.form = form;
  }

  /** Starts to read another block. @throws {FormatError} the block is malformed */
  open(block: Buffer): void {
    this.block = block;
    this.at = 0;
    this.end = endOfEntries(block);
    this.valueEnd = 0;
    this.isFirst = true;
  }

  get value(): Buffer {
    return this.block.subarray(this.valueAt, this.valueEnd);
  }

  /** Moves to the next entry. Returns false at the end. @throws {FormatError} the entry is malformed */
  next(): boolean {
    if (!this.form.hasValueLengths) this.at = Math.max(this.at, this.valueEnd);
    if (this.at >= this.end) return false;
    const shared = this.varint();
    const fresh = this.varint();
    const valueBytes = this.form.hasValueLengths ? this.varint() : 0;
    const { at } = this;
    const length = shared + fresh;
    if (shared > (this.isFirst ? 0 : this.keyBytes) || length > KEY_BYTES_MAX || at + fresh + valueBytes > this.end) {
      throw new FormatError('an entry extends beyond the end of its table block');
    }
    if (length > this.key.length) this.grow(length);
    this.order = this.compareWithLast(shared, at, length);
    this.isFirst = false;
    this.block.copy(this.key, shared, at, at + fresh);
    this.shared = shared;
    this.keyBytes = length;
    this.valueAt = at + fresh;
    this.valueEnd = this.valueAt + valueBytes;
    this.at = this.valueEnd;
    return true;
  }

  private compareWithLast(shared: number, at: number, length: number): number {
    const last = this.keyBytes - this.form.tailBytes;
    const now = length - this.form.tailBytes;
    const { key, block } = this;
    for (let index = Math.min(shared, last, now); index < last && index < now; index++) {
      const difference = (block[at + index - shared] ?? 0) - itemAt(key, index);
      if (index >= shared && difference !== 0) return difference;
    }
    return now - last;
  }

  private grow(length: number): void {
    const larger = Buffer.allocUnsafe(length * 2);
    this.key.copy(larger, 0, 0, this.keyBytes);
    this.key = larger;
  }

  private varint(): number {
    let value = 0;
    for (let shift = 0; shift <= 28; shift += 7) {
      const byte = itemAt(this.block, this.at++);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80 && this.at <= this.end && value >= 0) return value;
    }
    throw new FormatError('invalid varint in table block');
  }
}

function endOfEntries(block: Buffer): number {
  if (block.length < 4) throw new FormatError('table block is too short');
  const stored = block.readUInt32LE(block.length - 4);
  const hasHash = stored >= HASH_INDEX;
  const restarts = hasHash ? stored - HASH_INDEX : stored;
  const behind = hasHash ? 6 + block.readUInt16LE(block.length - 6) : 4;
  const end = block.length - behind - restarts * 4;
  if (end < 0) throw new FormatError('table block is too short for its restart points');
  return end;
}
