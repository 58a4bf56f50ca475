import { ProtobufError } from '../../log/codec/reader.js';
import { javaError } from '../java/java-error.js';
import { typeOf } from '../json/message-fields.js';
import { type GrpcCall, type GrpcMethod, GrpcStatusError } from './grpc-method.js';
import type { GrpcService } from './services.js';

/** Numbers of the status codes that are answered here. */
export const Status = {
  OK: 0,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
} as const;

export interface GrpcReply {
  readonly status: number;
  /** Empty for a good answer. */
  readonly details: string;
  readonly bytes: Uint8Array;
}

const NOTHING = new Uint8Array(0);

/**
 * Answers a call by the name on the wire (`protocol.Wallet/GetAccount`).
 * @param isDisabled whether the operator switched a method off, by its short name in lower case
 */
export function answerCall(
  services: Readonly<Record<string, GrpcService>>,
  name: string,
  request: Uint8Array,
  call: () => GrpcCall,
  isDisabled: (method: string) => boolean = () => false,
): GrpcReply {
  const slash = name.lastIndexOf('/');
  const service = Object.hasOwn(services, name.slice(0, slash)) ? services[name.slice(0, slash)] : undefined;
  const short = name.slice(slash + 1);
  if (service === undefined) return refusal(Status.UNIMPLEMENTED, `Method not found: ${name}`);
  if (isDisabled(short.toLowerCase())) {
    return refusal(Status.UNAVAILABLE, 'this API is unavailable due to config');
  }
  const method = Object.hasOwn(service.methods, short) ? service.methods[short] : undefined;
  if (method !== undefined) return runMethod(method, request, call);
  const isDeclared = service.unimplemented.includes(short);
  return refusal(Status.UNIMPLEMENTED, isDeclared ? `Method ${name} is unimplemented` : `Method not found: ${name}`);
}

function runMethod(method: GrpcMethod, request: Uint8Array, call: () => GrpcCall): GrpcReply {
  try {
    const reply = method.run(method.request.decode(request), call());
    const bytes = reply === undefined ? NOTHING : typeOf(reply).encode(reply);
    return { status: Status.OK, details: '', bytes };
  } catch (error) {
    return failureReply(method, error);
  }
}

/** Errors of this program look like the reference's unexpected ones: without a text. */
function failureReply({ failure }: GrpcMethod, error: unknown): GrpcReply {
  if (error instanceof GrpcStatusError) return refusal(error.status, error.message);
  const found = error instanceof ProtobufError ? undefined : javaError(error);
  if (found === undefined || failure === 'silent') return refusal(Status.UNKNOWN, '');
  const status = failure === 'argument' ? Status.INVALID_ARGUMENT : Status.INTERNAL;
  return refusal(status, found.text ?? '');
}

function refusal(status: number, details: string): GrpcReply {
  return { status, details, bytes: NOTHING };
}
