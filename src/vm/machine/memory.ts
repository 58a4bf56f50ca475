import { EMPTY_BYTES } from '../../primitives/bytes.js';
import { javaFailure, outOfTime, type VmError } from '../../state-transition/vm-error.js';

const FIRST_BYTES = 1 << 12;
/**
 * Beyond this, in all calls together, the reference's heap and clock decide, not its rules. Only the output of a
 * precompile, which until proposal 94 is written wherever it was to go without being paid for, can get here from the 3
 * MiB that a program may pay for. What the reference fills in the time that a transaction has at its producer, and in
 * five times as much where its block is checked, is less.
 */
const BYTES_MAX = 1 << 29;

/** Memory of one call. */
export interface Memory {
  /** Bytes in use, a multiple of 32: MSIZE. */
  size: number;
  /** Makes [offset, offset + size) usable. Reference: Memory.extend. */
  extend(offset: number, size: number): void;
  /** A copy. Reference: Memory.read. */
  read(offset: number, size: number): Uint8Array;
  /** The same without a copy: what lies there until the memory changes. */
  view(offset: number, size: number): Uint8Array;
  /** Writes all of `data`, however much memory was paid for. Reference: Memory.write, unlimited. */
  write(offset: number, data: Uint8Array): void;
  /** Writes at most `size` bytes of `data` and nothing behind the end. Reference: Memory.write, limited. */
  writeLimited(offset: number, data: Uint8Array, size: number): void;
}

/**
 * @param below bytes that the calls around this one hold
 * @throws {VmError} beyond what the reference can address, or fill in time
 */
export function checkEnd(end: number, below: number): void {
  if (end > 0x7fffffff) throw javaFailure('ArithmeticException', 'integer overflow');
  if (below + end > BYTES_MAX) throw outOfTime('CALL');
}

/** Memory in an array of its own, kept for the next call at the same depth: `reset` clears what was used. */
export class PlainMemory implements Memory {
  size = 0;
  private bytes = new Uint8Array(FIRST_BYTES);
  private below = 0;

  /** Bytes of this call and those around it. */
  get end(): number {
    return this.below + this.size;
  }

  /** @param below bytes that the calls around this one hold */
  reset(below = 0): void {
    this.below = below;
    if (this.bytes.length > 1 << 20) {
      this.bytes = new Uint8Array(FIRST_BYTES);
    } else if (this.size > 0) this.bytes.fill(0, 0, this.size);
    this.size = 0;
  }

  extend(offset: number, size: number): void {
    if (size <= 0) return;
    const end = offset + size;
    if (end <= this.size) return;
    checkEnd(end, this.below);
    const words = (end + 31) & ~31;
    if (words > this.bytes.length) this.grow(words);
    this.size = words;
  }

  read(offset: number, size: number): Uint8Array {
    if (size <= 0) return EMPTY_BYTES;
    this.extend(offset, size);
    return this.bytes.slice(offset, offset + size);
  }

  view(offset: number, size: number): Uint8Array {
    if (size <= 0) return EMPTY_BYTES;
    this.extend(offset, size);
    return this.bytes.subarray(offset, offset + size);
  }

  write(offset: number, data: Uint8Array): void {
    if (data.length === 0) return;
    this.extend(offset, data.length);
    if (offset < 0) throw badOffset(offset, data.length, this.size);
    this.bytes.set(data, offset);
  }

  writeLimited(offset: number, data: Uint8Array, size: number): void {
    const count = Math.min(size, data.length, this.size - offset);
    if (count > 0) this.bytes.set(data.subarray(0, count), offset);
  }

  private grow(size: number): void {
    let capacity = this.bytes.length;
    while (capacity < size) capacity *= 2;
    const bytes = new Uint8Array(capacity);
    bytes.set(this.bytes.subarray(0, this.size));
    this.bytes = bytes;
  }
}

const CHUNK_BYTES = 1024;
const INT_MIN = -0x80000000;

/**
 * What Java says of a place before the first byte: memory is a list of chunks there, and the first one, where there is
 * one, is asked for what lies shortly before it. So far before it that what is missing wraps around, all 2 GiB would be
 * filled.
 */
export function badOffset(offset: number, length: number, size: number): VmError {
  const chunks = Math.ceil(size / CHUNK_BYTES);
  if (offset + length - chunks * CHUNK_BYTES < INT_MIN) return outOfTime('CALL');
  const chunk = Math.trunc(offset / CHUNK_BYTES);
  if (chunk === 0 && size > 0) {
    const text = `arraycopy: destination index ${offset} out of bounds for byte[${CHUNK_BYTES}]`;
    return javaFailure('ArrayIndexOutOfBoundsException', text);
  }
  return javaFailure('IndexOutOfBoundsException', `Index: ${chunk}, Size: ${chunks}`);
}
