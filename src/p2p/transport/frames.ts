import { itemAt } from '../../primitives/assert.js';
import { EMPTY_BYTES, varint } from '../../primitives/bytes.js';
import { P2pError } from '../p2p-error.js';

/**
 * A frame of at least this size, in bytes, is rejected and its connection closed. Reference:
 * P2pProtobufVarint32FrameDecoder.maxMsgLength.
 */
export const FRAME_BYTES_MAX = 5 * 1024 * 1024;
/**
 * Before the handshake is complete, a frame of at least this size, in bytes, is rejected. A HELLO has a few hundred
 * bytes, and so has the first message of java-tron releases that send no HELLO.
 */
export const HANDSHAKE_FRAME_BYTES_MAX = 4096;
const LENGTH_BYTES_MAX = 5;
const SMALLEST_BUFFER = 256;

/**
 * Encodes a frame: the length as protobuf varint32, then the concatenated parts. This is the only place that copies
 * sent data.
 */
export function encodeFrame(...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Uint8Array.from(varint(length)), ...parts]);
}

/**
 * Splits a byte stream into frames. Stores at most one frame and the rest of the last chunk. Small chunks are collected
 * in one buffer.
 */
export class FrameDecoder {
  /** A frame of at least this size, in bytes, is rejected and its connection closed. */
  bytesMax: number;
  /** Unread bytes are between `from` and `to`. Returned frames are never overwritten. */
  private buffer: Uint8Array = EMPTY_BYTES;
  private from = 0;
  private to = 0;
  private isOwn = false;
  /** Size of the current frame in bytes; undefined until its length was read. */
  private frameBytes: number | undefined;

  constructor(bytesMax = FRAME_BYTES_MAX) {
    this.bytesMax = bytesMax;
  }

  /** Size in bytes of the memory for received data that `next` has not returned yet. */
  get bufferedBytes(): number {
    return this.from === this.to ? 0 : this.buffer.length;
  }

  push(chunk: Uint8Array): void {
    if (this.from === this.to) {
      this.setBuffer(chunk, chunk.length, false);
      return;
    }
    const length = this.to - this.from + chunk.length;
    if (!this.isOwn || this.to + chunk.length > this.buffer.length) {
      const buffer = Buffer.allocUnsafeSlow(Math.max(2 * length, SMALLEST_BUFFER));
      buffer.set(this.buffer.subarray(this.from, this.to));
      this.setBuffer(buffer, length - chunk.length, true);
    }
    this.buffer.set(chunk, this.to);
    this.to += chunk.length;
  }

  /**
   * Returns the next complete frame without its length; undefined if no complete frame has arrived. Skips empty frames,
   * as java-tron does.
   * @throws {P2pError} BIG_MESSAGE: the frame is too long, known as soon as its length has arrived; CORRUPTED_FRAME:
   * invalid varint32
   */
  next(): Uint8Array | undefined {
    for (;;) {
      this.frameBytes ??= this.readLength();
      if (this.frameBytes === undefined || this.to - this.from < this.frameBytes) return undefined;
      const frame = this.buffer.subarray(this.from, this.from + this.frameBytes);
      this.from += this.frameBytes;
      this.frameBytes = undefined;
      if (this.from === this.to) this.setBuffer(EMPTY_BYTES, 0, false);
      if (frame.length > 0) return frame;
    }
  }

  private setBuffer(bytes: Uint8Array, length: number, isOwn: boolean): void {
    this.buffer = bytes;
    this.from = 0;
    this.to = length;
    this.isOwn = isOwn;
  }

  private readLength(): number | undefined {
    let value = 0;
    for (let at = 0; at < LENGTH_BYTES_MAX; at++) {
      if (this.from + at >= this.to) return undefined;
      const byte = itemAt(this.buffer, this.from + at);
      value |= (byte & 0x7f) << (7 * at);
      if (byte > 0x7f) continue;
      this.from += at + 1;
      if (value >= this.bytesMax) throw new P2pError('BIG_MESSAGE', `len=${value}`);
      if (value < 0) throw new P2pError('CORRUPTED_FRAME', `negative length: ${value}`);
      return value;
    }
    throw new P2pError('CORRUPTED_FRAME', 'malformed varint.');
  }
}
