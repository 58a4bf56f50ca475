import { P2pError } from '../p2p-error.js';

/** A frame of this size or more closes the connection. Reference: P2pProtobufVarint32FrameDecoder.maxMsgLength. */
export const FRAME_BYTES_MAX = 5 * 1024 * 1024;
const LENGTH_BYTES_MAX = 5;

/** Length in front, as protobuf varint32. */
export function encodeFrame(body: Uint8Array): Uint8Array {
  const head: number[] = [];
  let rest = body.length;
  for (; rest > 0x7f; rest >>>= 7) head.push((rest & 0x7f) | 0x80);
  head.push(rest);
  return Buffer.concat([Uint8Array.from(head), body]);
}

/** Cuts a stream of bytes into frames; holds no more than one frame and what came behind it in the same chunk. */
export class FrameDecoder {
  private readonly chunks: Uint8Array[] = [];
  private length = 0;
  /** Bytes of the frame whose length was read. */
  private wanted: number | undefined;

  push(chunk: Uint8Array): void {
    this.chunks.push(chunk);
    this.length += chunk.length;
  }

  /**
   * The next whole frame, without its length; empty frames are passed over as the reference does.
   * @throws {P2pError} BIG_MESSAGE by the announced length alone, PARSE_MESSAGE_FAILED for a length that is no varint32
   */
  next(): Uint8Array | undefined {
    for (;;) {
      this.wanted ??= this.readLength();
      if (this.wanted === undefined || this.length < this.wanted) return undefined;
      const frame = this.take(this.wanted);
      this.wanted = undefined;
      if (frame.length > 0) return frame;
    }
  }

  private readLength(): number | undefined {
    let value = 0;
    for (let at = 0; at < LENGTH_BYTES_MAX; at++) {
      const byte = this.peek(at);
      if (byte === undefined) return undefined;
      value |= (byte & 0x7f) << (7 * at);
      if (byte > 0x7f) continue;
      this.take(at + 1);
      if (value >= FRAME_BYTES_MAX) throw new P2pError('BIG_MESSAGE', `len=${value}`);
      if (value < 0) throw new P2pError('PARSE_MESSAGE_FAILED', `negative length: ${value}`);
      return value;
    }
    throw new P2pError('PARSE_MESSAGE_FAILED', 'malformed varint.');
  }

  private peek(at: number): number | undefined {
    let rest = at;
    for (const chunk of this.chunks) {
      if (rest < chunk.length) return chunk[rest];
      rest -= chunk.length;
    }
    return undefined;
  }

  private take(count: number): Uint8Array {
    this.length -= count;
    const [first] = this.chunks;
    if (first !== undefined && first.length >= count) return this.cut(first, count);
    const parts: Uint8Array[] = [];
    let missing = count;
    while (missing > 0) {
      const chunk = this.chunks[0]!;
      const part = this.cut(chunk, Math.min(missing, chunk.length));
      parts.push(part);
      missing -= part.length;
    }
    return Buffer.concat(parts, count);
  }

  private cut(chunk: Uint8Array, count: number): Uint8Array {
    if (count === chunk.length) this.chunks.shift();
    else this.chunks[0] = chunk.subarray(count);
    return chunk.subarray(0, count);
  }
}
