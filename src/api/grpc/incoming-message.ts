import { gunzipSync } from 'node:zlib';
import { GrowingBytes } from '../../primitives/growing-bytes.js';
import type { GrpcFaultRules } from '../releases/api-release.js';
import { type GrpcReply, GrpcStatus, refusal } from './grpc-reply.js';

/** Size in bytes of the prefix of each message. The prefix is a compression flag and a length of four bytes. */
export const PREFIX_BYTES = 5;

/**
 * Maximum size of the buffer that a received chunk may keep in memory, in bytes. It is the size of one read from a
 * socket.
 */
const CHUNK_BYTES = 64 * 1024;
/** Size in bytes below which a chunk is copied. The copy does not keep the larger read buffer in memory. */
const COPIED_BELOW = 16 * 1024;

/** End of a call that violates a rule of the protocol: a reply with a status, or `dropped` without a reply. */
export type Fault = GrpcReply | 'dropped';

interface ArrivingOptions extends GrpcFaultRules {
  /** Maximum size of a message, in bytes. */
  readonly bytesMax: number;
  /** True if messages may be compressed with gzip. The header `grpc-encoding` declares it. */
  readonly isPacked: boolean;
}

const NO_MESSAGE = refusal(GrpcStatus.INTERNAL, 'Half-closed without a request');
const SECOND_MESSAGE = refusal(GrpcStatus.INTERNAL, 'Too many requests');
const ODD_FLAG = refusal(GrpcStatus.INTERNAL, 'gRPC frame header malformed: reserved bits not zero');
const NOT_PACKED = refusal(GrpcStatus.INTERNAL, `Can't decode compressed gRPC message as compression not configured`);
const CUT_OFF = refusal(GrpcStatus.INTERNAL, 'Encountered end-of-stream mid-frame');
const APPLICATION_ERROR = refusal(GrpcStatus.UNKNOWN, 'Application error processing RPC');
const UNKNOWN = refusal(GrpcStatus.UNKNOWN, '');

/**
 * Collects the bytes of a request, which must be exactly one message.
 * Reference: MessageDeframer of grpc-java, versions 1.14 and 1.81.
 */
export class IncomingMessage {
  private readonly options: ArrivingOptions;
  /** First chunk as received, without a copy. Set only if the chunk is long. */
  private first: Buffer | undefined;
  /** All bytes that are not in `first`. */
  private readonly kept = new GrowingBytes();
  private size = 0;
  /** Size of prefix and message in bytes; undefined until the whole prefix has arrived. */
  private whole: number | undefined;

  constructor(options: ArrivingOptions) {
    this.options = options;
  }

  /** Adds received bytes. @returns the fault that ends the call, if any */
  add(chunk: Buffer): Fault | undefined {
    this.size += chunk.length;
    const isBehind = this.whole !== undefined && this.size > this.whole;
    if (!isBehind) this.keep(chunk);
    if (this.whole !== undefined || this.size < PREFIX_BYTES) return undefined;
    const prefix = this.joined();
    this.whole = PREFIX_BYTES + prefix.readUInt32BE(1);
    return this.faultOf(prefix);
  }

  /** Memory that the received bytes use, in bytes. */
  get keptBytes(): number {
    return this.first === undefined ? this.kept.capacity : Math.max(this.first.length, CHUNK_BYTES);
  }

  private faultOf(prefix: Buffer): Fault | undefined {
    const { tellsFaults, bytesMax, isPacked } = this.options;
    const flag = prefix.readUInt8(0);
    if (flag > 1) return tellsFaults ? ODD_FLAG : 'dropped';
    const length = prefix.readUInt32BE(1);
    if (length > bytesMax) {
      if (!tellsFaults) return 'dropped';
      return refusal(
        GrpcStatus.RESOURCE_EXHAUSTED,
        `gRPC message exceeds maximum size ${bytesMax}: ${prefix.readInt32BE(1)}`,
      );
    }
    if (flag === 1 && !isPacked) return tellsFaults ? NOT_PACKED : 'dropped';
    return undefined;
  }

  /** Called at the end of the request. Returns a fault unless exactly one message has arrived. */
  endFault(): Fault | undefined {
    if (this.size === this.whole) return undefined;
    if (this.size === 0 || this.size === PREFIX_BYTES) return NO_MESSAGE;
    if (this.whole !== undefined && this.size >= this.whole + PREFIX_BYTES) return SECOND_MESSAGE;
    return this.options.tellsFaults ? CUT_OFF : 'dropped';
  }

  /** Returns the decompressed message without its prefix, or the fault if it cannot be decompressed. */
  message(): Buffer | Fault {
    const bytes = this.joined();
    const message = bytes.subarray(PREFIX_BYTES);
    return bytes[0] === 1 ? this.unpack(message) : message;
  }

  private unpack(message: Buffer): Buffer | Fault {
    const { bytesMax, tellsFaults } = this.options;
    try {
      return gunzipSync(message, { maxOutputLength: Math.max(1, bytesMax) });
    } catch (error) {
      if (/incorrect header check/.test((error as Error).message)) return tellsFaults ? UNKNOWN : 'dropped';
      return tellsFaults ? APPLICATION_ERROR : UNKNOWN;
    }
  }

  private keep(chunk: Buffer): void {
    if (this.size === chunk.length && chunk.length >= COPIED_BELOW) {
      this.first = chunk;
      return;
    }
    if (this.first !== undefined) this.kept.append(this.first, this.whole);
    this.first = undefined;
    this.kept.append(chunk, this.whole ?? this.size);
  }

  private joined(): Buffer {
    if (this.first !== undefined) return this.first;
    const { buffer, byteOffset, length } = this.kept.bytes();
    return Buffer.from(buffer, byteOffset, length);
  }
}
