import { gunzipSync } from 'node:zlib';
import type { GrpcFaultRules } from '../releases/api-release.js';
import { type GrpcReply, GrpcStatus, refusal } from './grpc-reply.js';

/** Size of the prefix of each message: a compression flag and a length of four bytes. */
export const PREFIX_BYTES = 5;

/** How a call that breaks a protocol rule ends: with a status, or dropped without one. */
export type Fault = GrpcReply | 'dropped';

interface ArrivingOptions extends GrpcFaultRules {
  /** Maximum size of a message, in bytes. */
  readonly bytesMax: number;
  /** True if messages may be compressed with gzip, as `grpc-encoding` declares. */
  readonly isPacked: boolean;
}

const NO_MESSAGE = refusal(GrpcStatus.INTERNAL, 'Half-closed without a request');
const SECOND_MESSAGE = refusal(GrpcStatus.INTERNAL, 'Too many requests');
const ODD_FLAG = refusal(GrpcStatus.INTERNAL, 'gRPC frame header malformed: reserved bits not zero');
const NOT_PACKED = refusal(GrpcStatus.INTERNAL, `Can't decode compressed gRPC message as compression not configured`);
const CUT_OFF = refusal(GrpcStatus.INTERNAL, 'Encountered end-of-stream mid-frame');
const APPLICATION_ERROR = refusal(GrpcStatus.UNKNOWN, 'Application error processing RPC');
const UNKNOWN = refusal(GrpcStatus.UNKNOWN, '');

/** Collects the bytes of a request, exactly one message. Reference: MessageDeframer of grpc-java, 1.14 and 1.81. */
export class IncomingMessage {
  private readonly options: ArrivingOptions;
  private readonly chunks: Buffer[] = [];
  private size = 0;
  /** Size of prefix and message in bytes; undefined until the prefix has arrived. */
  private whole: number | undefined;

  constructor(options: ArrivingOptions) {
    this.options = options;
  }

  /** Adds received bytes. @returns the fault that ends the call, if any */
  add(chunk: Buffer): Fault | undefined {
    this.size += chunk.length;
    const isBehind = this.whole !== undefined && this.size > this.whole;
    if (!isBehind) this.chunks.push(chunk);
    if (this.whole !== undefined || this.size < PREFIX_BYTES) return undefined;
    const prefix = this.joined();
    this.whole = PREFIX_BYTES + prefix.readUInt32BE(1);
    return this.faultOf(prefix);
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

  /** Returns the fault if the bytes received until the end are not exactly one message. */
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

  private joined(): Buffer {
    if (this.chunks.length > 1) this.chunks.splice(0, this.chunks.length, Buffer.concat(this.chunks));
    return this.chunks[0] as Buffer;
  }
}
