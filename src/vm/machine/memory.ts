import { EMPTY_BYTES } from '../../primitives/bytes.js';
import { javaFailure, outOfTime, type VmError } from '../../state-transition/vm-error.js';

const FIRST_BYTES = 1 << 12;
/**
 * Maximum memory of all nested calls together, in bytes. Above this size, the result of java-tron depends on its heap
 * and time limit, not on a rule.
 *
 * A program can pay for at most 3 MiB. Before proposal 94, however, a precompile writes its output to any offset
 * without payment. Within the time limit of a transaction, java-tron writes less than this number of bytes, even
 * within the five times longer limit for transactions in blocks.
 */
const BYTES_MAX = 1 << 29;

/** Memory of one call. */
export interface Memory {
  /** Number of bytes in use, a multiple of 32. MSIZE returns this number. */
  size: number;
  /** Allocates [offset, offset + size). Reference: Memory.extend. @throws {VmError} the errors of `checkEnd` */
  extend(offset: number, size: number): void;
  /** Returns a copy of the bytes in [offset, offset + size). Reference: Memory.read. */
  read(offset: number, size: number): Uint8Array;
  /** Returns a view of the bytes in [offset, offset + size). The view is valid until the memory changes. */
  view(offset: number, size: number): Uint8Array;
  /**
   * Writes all of `data`, even to memory that is not paid for. Reference: Memory.write, unlimited.
   * @throws {VmError} the offset is negative; also the errors of `checkEnd`
   */
  write(offset: number, data: Uint8Array): void;
  /**
   * Writes at most `size` bytes of `data`, and no byte after the end of the memory. Reference: Memory.write, limited.
   */
  writeLimited(offset: number, data: Uint8Array, size: number): void;
}

/**
 * Rejects a memory access with an end offset (in bytes) that is too large.
 * @param below number of bytes in the memory of the outer calls
 * @throws {VmError} the end exceeds Java's maximum int (ArithmeticException), or the memory of all calls together
 * exceeds `BYTES_MAX` (OUT_OF_TIME)
 */
export function checkEnd(end: number, below: number): void {
  if (end > 0x7fffffff) throw javaFailure('ArithmeticException', 'integer overflow');
  if (below + end > BYTES_MAX) throw outOfTime('CALL');
}

/** Memory in a byte array. The next call at the same depth reuses the array, and `reset` clears the used bytes. */
export class PlainMemory implements Memory {
  size = 0;
  private bytes = new Uint8Array(FIRST_BYTES);
  private below = 0;

  /** Number of bytes in the memory of this call and the outer calls. */
  get end(): number {
    return this.below + this.size;
  }

  /** Clears the memory. @param below number of bytes in the memory of the outer calls */
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
 * Returns the error of java-tron for a write at a negative offset. java-tron's memory is a list of chunks of 1024
 * bytes. The first matching case applies:
 * - The end of the write minus the allocated size is below the minimum int. The subtraction overflows in Java, so
 * java-tron allocates 2 GiB and ends with OUT_OF_TIME.
 * - The offset is from -1023 to -1 and the memory is not empty: error of the first chunk.
 * - Otherwise: error of the chunk list.
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
