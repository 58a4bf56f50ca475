import { FieldCountError, ProtobufError } from '../../codec/reader.js';
import { typeOf } from '../../encoding/json/message-fields.js';
import { EMPTY_BYTES } from '../../primitives/bytes.js';
import { javaError } from '../../state-transition/java-errors.js';
import { BudgetExceededError } from '../context/call-budget.js';
import { decodeRequest } from '../operations/decode-request.js';
import { EncodedReply, type GrpcCall, type GrpcMethod, type GrpcMethods, GrpcStatusError } from './grpc-method.js';
import { type GrpcReply, GrpcStatus, refusal } from './grpc-reply.js';
import type { ReplyCache } from './known-replies.js';

/** gRPC services of a port by full name. */
export type GrpcServices = Readonly<Record<string, GrpcMethods>>;

/**
 * Runs a call of a method by its full name (`protocol.Wallet/GetAccount`).
 * @param isDisabled returns true if the method with this short name (lower case) is disabled
 */
export function answerCall(
  services: GrpcServices,
  name: string,
  request: Uint8Array,
  call: () => GrpcCall,
  isDisabled: (method: string) => boolean = () => false,
): GrpcReply | Promise<GrpcReply> {
  const found = findMethod(services, name);
  if (found === undefined) return unknownMethod(name);
  if (isDisabled(shortName(name))) return DISABLED;
  return answerFound(found, name, request, call);
}

/** Returns the method with a full name; undefined if the server does not have it. */
export function findMethod(services: GrpcServices, name: string): GrpcMethod | undefined {
  const slash = name.lastIndexOf('/');
  const service = Object.hasOwn(services, name.slice(0, slash)) ? services[name.slice(0, slash)] : undefined;
  const short = name.slice(slash + 1);
  return service !== undefined && Object.hasOwn(service, short) ? service[short] : undefined;
}

/** Optional helpers: another thread for expensive calls, and a cache of replies. */
export interface AnswerHelpers {
  /** Runs a call in another thread. Called if the call has exceeded its time budget in this thread. */
  readonly handOver?: ((reason: BudgetExceededError) => Promise<GrpcReply>) | undefined;
  readonly known?: ReplyCache | undefined;
}

export function answerFound(
  found: GrpcMethod,
  name: string,
  request: Uint8Array,
  call: () => GrpcCall,
  { handOver, known }: AnswerHelpers = {},
): GrpcReply | Promise<GrpcReply> {
  try {
    const context = call();
    const run = () => runMethod(found, request, context, handOver);
    return found.isQuestion && known !== undefined ? known.find(context.view, name, request, run) : run();
  } catch (error) {
    return failureReply(found, error, '');
  }
}

export function unknownMethod(name: string): GrpcReply {
  return refusal(GrpcStatus.UNIMPLEMENTED, `Method not found: ${name}`);
}

/** Returns the short name of a method, without the name of its service, in lower case. */
export function shortName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).toLowerCase();
}

export const DISABLED: GrpcReply = {
  ...refusal(GrpcStatus.UNAVAILABLE, 'this API is unavailable due to config'),
  echoes: true,
};

function runMethod(
  method: GrpcMethod,
  request: Uint8Array,
  call: GrpcCall,
  handOver: AnswerHelpers['handOver'],
): GrpcReply | Promise<GrpcReply> {
  const failed = (error: unknown): GrpcReply => failureReply(method, error, call.api.settings.release.grpcUnknownText);
  try {
    const reply = method.run(decodeRequest(request, method.request), call);
    return reply instanceof Promise ? reply.then(goodReply).catch(failed) : goodReply(reply);
  } catch (error) {
    return error instanceof BudgetExceededError && handOver !== undefined ? handOver(error) : failed(error);
  }
}

function goodReply(message: object | undefined): GrpcReply {
  return {
    status: GrpcStatus.OK,
    details: '',
    bytes: message === undefined ? EMPTY_BYTES : encoded(message),
  };
}

function encoded(message: object): Uint8Array {
  return message instanceof EncodedReply ? message.bytes : typeOf(message).encode(message);
}

/**
 * Converts an error to a reply. An error that has no corresponding Java exception becomes java-tron's reply to
 * uncaught exceptions, without the error text.
 */
function failureReply({ failure }: GrpcMethod, error: unknown, unknownText: string): GrpcReply {
  if (error instanceof GrpcStatusError) return refusal(error.status, error.message);
  if (error instanceof FieldCountError) return refusal(GrpcStatus.RESOURCE_EXHAUSTED, error.message);
  const found = error instanceof ProtobufError ? undefined : javaError(error);
  if (found !== undefined && failure === 'silent') return refusal(GrpcStatus.UNKNOWN, '');
  if (found === undefined || failure === 'thrown') return refusal(GrpcStatus.UNKNOWN, unknownText);
  const status = failure === 'argument' ? GrpcStatus.INVALID_ARGUMENT : GrpcStatus.INTERNAL;
  return refusal(status, found.text ?? '');
}
