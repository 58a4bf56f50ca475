import { EMPTY_BYTES } from './bytes.js';

/** Minimum size of the buffer, in bytes. */
const SMALLEST = 1024;

/**
 * Collects chunks in its own buffer. A list of chunks would take several hundred bytes for each chunk of one byte. Each
 * chunk could also retain the 64-KiB buffer in which it was received.
 */
export class GrowingBytes {
  private buffer: Uint8Array = EMPTY_BYTES;
  private length = 0;

  get size(): number {
    return this.length;
  }

  /** Size of the buffer in bytes: at most twice the size of the content, or 1,024 bytes for a short content. */
  get capacity(): number {
    return this.buffer.length;
  }

  /**
   * Appends a chunk.
   * @param sizeMax expected final size in bytes. The buffer is larger only if the content is larger
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
