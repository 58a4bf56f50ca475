import { EMPTY_BYTES } from './bytes.js';

/** Smallest buffer, in bytes. */
const SMALLEST = 1024;

/**
 * Collects chunks in one buffer of its own. A list of chunks would need several hundred bytes for each chunk of one
 * byte, and a chunk can retain the buffer of 64 KiB in which it was received.
 */
export class GrowingBytes {
  private buffer: Uint8Array = EMPTY_BYTES;
  private length = 0;

  get size(): number {
    return this.length;
  }

  /** Size of the buffer in bytes, at most twice the size of the content. */
  get capacity(): number {
    return this.buffer.length;
  }

  /**
   * Appends a chunk. @param sizeMax expected final size in bytes; the buffer grows beyond it only if the content does
   */
  append(chunk: Uint8Array, sizeMax = Number.POSITIVE_INFINITY): void {
    const size = this.length + chunk.length;
    if (size > this.buffer.length) {
      const grown = new Uint8Array(Math.max(size, Math.min(sizeMax, Math.max(SMALLEST, 2 * this.buffer.length))));
      grown.set(this.buffer.subarray(0, this.length));
      this.buffer = grown;
    }
    this.buffer.set(chunk, this.length);
    this.length = size;
  }

  /** Returns the content without a copy. */
  bytes(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  clear(): void {
    this.buffer = EMPTY_BYTES;
    this.length = 0;
  }
}
