import { writeHex } from '../../primitives/bytes.js';

/** Initial size of the buffer, in bytes. It is enough for a few transactions. */
const START_BYTES = 4096;
/** Maximum size of a buffer that is reused for the next text, in bytes. Most blocks need less. */
const KEPT_BYTES_MAX = 1_048_576;
/** Length in characters from which the method of Node.js is faster than a loop over the characters. */
const LONG_TEXT = 24;

/**
 * Builds a long JSON text of ASCII characters in one buffer. Most members of Ethereum blocks are bytes in hex. Writing
 * them to a buffer avoids one string per member. The buffer is reused, because an allocation of this size takes as long
 * as writing the text.
 */
export class JsonBytes {
  private buffer = Buffer.allocUnsafeSlow(START_BYTES);
  private length = 0;

  /** Appends JSON text that contains only ASCII characters. */
  ascii(text: string): this {
    const { length } = text;
    this.reserve(length);
    const { buffer, length: to } = this;
    if (length >= LONG_TEXT) buffer.write(text, to, 'latin1');
    else for (let at = 0; at < length; at++) buffer[to + at] = text.charCodeAt(at);
    this.length = to + length;
    return this;
  }

  /** Appends the hex digits of bytes. */
  hex(bytes: Uint8Array): this {
    this.reserve(2 * bytes.length);
    writeHex(bytes, this.buffer, this.length);
    this.length += 2 * bytes.length;
    return this;
  }

  /** Appends bytes as a JSON string: hex with the prefix `0x`. */
  data(bytes: Uint8Array): this {
    return this.ascii('"0x').hex(bytes).ascii('"');
  }

  /** Returns the text that `write` appends. Calls must not be nested. */
  build(write: (out: this) => void): string {
    // A previous `write` may have thrown before its text was complete.
    this.length = 0;
    write(this);
    const text = this.buffer.toString('latin1', 0, this.length);
    if (this.buffer.length > KEPT_BYTES_MAX) this.buffer = Buffer.allocUnsafeSlow(START_BYTES);
    return text;
  }

  private reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.buffer.length));
    larger.set(this.buffer.subarray(0, this.length));
    this.buffer = larger;
  }
}
