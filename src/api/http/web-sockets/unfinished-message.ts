/**
 * Lowest opcode of control frames. Control frames may be sent between the frames of a message (RFC 6455, section 5.5).
 */
const CONTROL_FROM = 8;
/** Memory that a stored frame uses in addition to its payload, in bytes. */
const FRAGMENT_BYTES = 256;
/** Maximum length of a frame header, in bytes: opcode, nine bytes of length, four bytes of mask. */
const HEADER_BYTES_MAX = 14;

/**
 * Counts the memory of a WebSocket message that has not arrived completely. The WebSocket library stores the frames
 * of a message and emits no event until the last frame has arrived.
 */
export class UnfinishedMessage {
  /** Memory of all frames of the message received so far, in bytes. */
  private stored = 0;
  private readonly header = Buffer.alloc(HEADER_BYTES_MAX);
  private headerBytes = 0;
  /** Number of bytes of the current frame that have not arrived. */
  private remaining = 0;
  private isLast = false;
  private isControl = false;

  get bytes(): number {
    return this.stored;
  }

  /** Adds bytes as received from the socket. */
  add(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.remaining > 0) {
        const length = Math.min(this.remaining, chunk.length - at);
        if (!this.isControl) this.stored += length;
        this.remaining -= length;
        at += length;
        if (this.remaining === 0) this.frameEnded();
        continue;
      }
      this.header[this.headerBytes] = chunk[at] as number;
      this.headerBytes++;
      at++;
      this.readHeader();
    }
  }

  private readHeader(): void {
    const [first = 0, second = 0] = this.header;
    const code = second & 0x7f;
    const lengthBytes = code === 127 ? 8 : code === 126 ? 2 : 0;
    if (this.headerBytes < 2 || this.headerBytes < 2 + lengthBytes + (second & 0x80 ? 4 : 0)) return;
    this.headerBytes = 0;
    this.isLast = (first & 0x80) !== 0;
    this.isControl = (first & 0x0f) >= CONTROL_FROM;
    if (!this.isControl) this.stored += FRAGMENT_BYTES;
    // The conversion to a number rounds very large lengths. This is harmless, because the WebSocket library rejects
    // frames of such a length.
    this.remaining =
      code === 127 ? Number(this.header.readBigUInt64BE(2)) : code === 126 ? this.header.readUInt16BE(2) : code;
    if (this.remaining === 0) this.frameEnded();
  }

  private frameEnded(): void {
    if (this.isLast && !this.isControl) this.stored = 0;
  }
}
