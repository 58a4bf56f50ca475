import { gunzipSync } from 'node:zlib';
import { GrowingBytes } from '../../primitives/growing-bytes.js';
import { GrpcStatusError } from './grpc-method.js';
import { GrpcStatus } from './grpc-reply.js';

/** Size in bytes of the prefix of each message: a compression flag (1 byte) and a length (4 bytes). */
export const PREFIX_BYTES = 5;

interface ReaderOptions {
  /** Maximum size of a message, in bytes. */
  readonly bytesMax: number;
  /** True if the header `grpc-encoding` allows messages that are compressed with gzip. */
  readonly isPacked: boolean;
}

/** Splits the bytes of a request into messages, each with its prefix. Reference: MessageDeframer of grpc-java */
export class MessageReader {
  private readonly options: ReaderOptions;
  /** Received bytes of the next message. They are a copy, because a slice would retain a read buffer of 64 KiB. */
  private buffer = new GrowingBytes();
  /** Size of the next message including its prefix, in bytes; undefined until the prefix has arrived. */
  private whole: number | undefined;

  constructor(options: ReaderOptions) {
    this.options = options;
  }

  /** Capacity of the buffer for the next message, in bytes. */
  get bufferedBytes(): number {
    return this.buffer.capacity;
  }

  /** True if a message has arrived partly. */
  get hasPart(): boolean {
    return this.buffer.size > 0;
  }

  /**
   * Adds received bytes. Returns the messages that are now complete, each with its prefix.
   * @throws {GrpcStatusError} RESOURCE_EXHAUSTED: a message is too long; INTERNAL: a prefix is malformed
   */
  add(chunk: Buffer): readonly Buffer[] {
    const messages: Buffer[] = [];
    let rest = chunk;
    // Most messages arrive in one chunk. The first branch copies such a message only once.
    while (rest.length > 0) {
      const size = this.buffer.size === 0 && rest.length >= PREFIX_BYTES ? this.sizeOf(rest) : undefined;
      if (size !== undefined && size <= rest.length) {
        messages.push(Buffer.from(rest.subarray(0, size)));
        rest = rest.subarray(size);
        continue;
      }
      const part = rest.subarray(0, (this.whole ?? PREFIX_BYTES) - this.buffer.size);
      rest = rest.subarray(part.length);
      this.buffer.append(part, this.whole ?? Math.max(PREFIX_BYTES, chunk.length));
      if (this.whole === undefined && this.buffer.size === PREFIX_BYTES) this.whole = this.sizeOf(this.bytes());
      if (this.buffer.size !== this.whole) continue;
      messages.push(this.bytes());
      this.buffer = new GrowingBytes();
      this.whole = undefined;
    }
    return messages;
  }

  private bytes(): Buffer {
    const { buffer, byteOffset, length } = this.buffer.bytes();
    return Buffer.from(buffer, byteOffset, length);
  }

  /** Returns the size of the message with a prefix, including that prefix. */
  private sizeOf(prefix: Buffer): number {
    const { bytesMax, isPacked } = this.options;
    const [flag, length] = [prefix.readUInt8(0), prefix.readUInt32BE(1)];
    if (flag > 1) throw internal('gRPC frame header malformed: reserved bits not zero');
    if (length > bytesMax) {
      const text = `gRPC message exceeds maximum size ${bytesMax}: ${prefix.readInt32BE(1)}`;
      throw new GrpcStatusError(GrpcStatus.RESOURCE_EXHAUSTED, text);
    }
    if (flag === 1 && !isPacked) {
      throw internal(`Can't decode compressed gRPC message as compression not configured`);
    }
    return PREFIX_BYTES + length;
  }
}

/**
 * Removes the prefix of a message and decompresses the content if it is compressed. Does not check the size of an
 * uncompressed message, because {@link MessageReader} has checked it.
 * @throws {Error} the compressed content is malformed, or has more than `bytesMax` bytes after decompression
 */
export function unpack(message: Buffer, bytesMax: number): Buffer {
  const content = message.subarray(PREFIX_BYTES);
  return message[0] === 1 ? gunzipSync(content, { maxOutputLength: Math.max(1, bytesMax) }) : content;
}

function internal(text: string): GrpcStatusError {
  return new GrpcStatusError(GrpcStatus.INTERNAL, text);
}
