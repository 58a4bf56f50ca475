import { EMPTY_BYTES } from '../../primitives/bytes.js';

/** gRPC status codes that this node sends. */
export const GrpcStatus = {
  OK: 0,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  RESOURCE_EXHAUSTED: 8,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
} as const;

export interface GrpcReply {
  readonly status: number;
  /** Error text; empty on success. */
  readonly details: string;
  readonly bytes: Uint8Array;
  /** True if the response repeats the request headers (see `echoOf`). */
  readonly echoes?: true;
}

export function refusal(status: number, details: string): GrpcReply {
  return { status, details, bytes: EMPTY_BYTES };
}
