// biome-ignore-all lint/style/noNonNullAssertion: both tables have a row for every byte, and indexes stay below the length
import { createHash, type Hash } from 'node:crypto';

const BUFFER_BYTES = 64 * 1024;
const SPACE = 0x20;
const NEW_LINE = 0x0a;

/** Character codes of the two hex digits of each byte value: the first digit in `HIGH`, the second in `LOW`. */
const HIGH = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0').charCodeAt(0));
const LOW = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0').charCodeAt(1));

/**
 * SHA-256 over lines `<key hex> <value hex>\n`. Writes the hex digits directly into a buffer. A string per row would
 * take three times as long.
 */
export class LineHash {
  private readonly hash: Hash;
  private readonly buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  private used = 0;

  constructor(hash: Hash = createHash('sha256')) {
    this.hash = hash;
  }

  add(key: Uint8Array, value: Uint8Array): void {
    this.hex(key);
    this.byte(SPACE);
    this.hex(value);
    this.byte(NEW_LINE);
  }

  /** Returns an independent copy of this hash and its content. */
  copy(): LineHash {
    this.flush();
    return new LineHash(this.hash.copy());
  }

  finish(): Uint8Array {
    this.flush();
    return this.hash.digest();
  }

  private hex(bytes: Uint8Array): void {
    const { buffer } = this;
    for (let from = 0; from < bytes.length; ) {
      if (this.used + 2 > BUFFER_BYTES) this.flush();
      const to = Math.min(bytes.length, from + ((BUFFER_BYTES - this.used) >> 1));
      let at = this.used;
      for (; from < to; from++) {
        const byte = bytes[from]!;
        buffer[at++] = HIGH[byte]!;
        buffer[at++] = LOW[byte]!;
      }
      this.used = at;
    }
  }

  private byte(byte: number): void {
    if (this.used === BUFFER_BYTES) this.flush();
    this.buffer[this.used++] = byte;
  }

  private flush(): void {
    this.hash.update(this.buffer.subarray(0, this.used));
    this.used = 0;
  }
}
