import { EMPTY_BYTES } from '../../log/domain/bytes.js';
import { failure, VmError } from './vm-error.js';

const FIRST_BYTES = 1 << 12;
/**
 * Beyond this the reference's heap decides, not its rules. Only the output of a precompile, which is written without being
 * paid for, can get here; the reference would end with an error of the Java runtime.
 */
const BYTES_MAX = 1 << 28;

/** Memory of one call. It is kept for the next call at the same depth: `reset` clears what was used. */
export class Memory {
  bytes = new Uint8Array(FIRST_BYTES);
  view = new DataView(this.bytes.buffer);
  /** Bytes in use, a multiple of 32: MSIZE. */
  size = 0;

  reset(): void {
    if (this.bytes.length > 1 << 20) {
      this.bytes = new Uint8Array(FIRST_BYTES);
      this.view = new DataView(this.bytes.buffer);
    } else if (this.size > 0) this.bytes.fill(0, 0, this.size);
    this.size = 0;
  }

  /** Makes [offset, offset + size) usable. Reference: Memory.extend. */
  extend(offset: number, size: number): void {
    if (size <= 0) return;
    const end = offset + size;
    if (end > 0x7fffffff) throw failure('integer overflow');
    if (end <= this.size) return;
    const words = (end + 31) & ~31;
    if (words > this.bytes.length) this.grow(words);
    this.size = words;
  }

  /** A copy. Reference: Memory.read. */
  read(offset: number, size: number): Uint8Array {
    if (size <= 0) return EMPTY_BYTES;
    this.extend(offset, size);
    return this.bytes.slice(offset, offset + size);
  }

  /** Writes all of `data`, however much memory was paid for. Reference: Memory.write, unlimited. */
  write(offset: number, data: Uint8Array): void {
    if (data.length === 0) return;
    this.extend(offset, data.length);
    if (offset < 0) throw failure(`Index: ${Math.trunc(offset / 1024)}, Size: ${this.chunks()}`);
    this.bytes.set(data, offset);
  }

  /** Writes at most `size` bytes of `data` and nothing behind the end. Reference: Memory.write, limited. */
  writeLimited(offset: number, data: Uint8Array, size: number): void {
    const count = Math.min(size, data.length, this.size - offset);
    if (count > 0) this.bytes.set(data.subarray(0, count), offset);
  }

  private grow(size: number): void {
    if (size > BYTES_MAX) throw new VmError('UNKNOWN', 'Unknown Throwable');
    let capacity = this.bytes.length;
    while (capacity < size) capacity *= 2;
    const bytes = new Uint8Array(capacity);
    bytes.set(this.bytes.subarray(0, this.size));
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
  }

  /** Chunks of 1 KiB that the reference would hold: it names them when an index is out of range. */
  private chunks(): number {
    return Math.ceil(this.size / 1024);
  }
}
