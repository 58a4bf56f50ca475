import type { MessageType } from '../../codec/descriptor.js';
import { TronError } from '../../primitives/errors.js';
import type { ApiContext, ChainView } from '../context/api-context.js';
import type { RpcEndpoint } from '../endpoints/endpoint-definition.js';
import type { ApiMiddleware } from '../middleware/api-middleware.js';
import type { KnownIds } from '../operations/broadcast.js';
import type { RpcReply, RpcRequest } from '../rpc-services.js';
import type { ServerName } from '../servers.js';

/** State and services that a method needs. */
export interface GrpcCall {
  readonly api: ApiContext;
  readonly view: ChainView;
  readonly remembered: KnownIds;
  readonly gate?: ApiMiddleware | undefined;
}

/**
 * Reply to a failed method. `silent`: status UNKNOWN without text. `internal`: status INTERNAL with the error text.
 * `argument`: status INVALID_ARGUMENT with the error text. `thrown`: java-tron does not catch the error, so its gRPC
 * library replies with status UNKNOWN and a text that depends on the release.
 */
type Failure = 'silent' | 'internal' | 'argument' | 'thrown';

/** A reply that is already encoded. Methods with large replies create it from stored bytes. */
export class EncodedReply<R extends object> {
  readonly type: MessageType<R>;
  readonly bytes: Uint8Array;

  constructor(type: MessageType<R>, bytes: Uint8Array) {
    this.type = type;
    this.bytes = bytes;
  }
}

/** Implementation of an RPC. If `run` returns undefined, the reply is an empty message. */
export interface GrpcHandler<Q extends object = object, R extends object = object> {
  readonly failure: Failure;
  /** True if the reply depends only on request and view. Such a reply may be cached. */
  readonly isQuestion: boolean;
  /**
   * Returns the reply to a request.
   * @throws {ChainError | JavaError | GrpcStatusError} the request is invalid, or the operation fails
   */
  run(request: Q, call: GrpcCall): R | EncodedReply<R> | undefined | Promise<R>;
}

/** A gRPC method: the handler, the type of the request, and the type of the reply. */
export interface GrpcMethod extends GrpcHandler {
  readonly request: MessageType<object>;
}

/** Methods of a service by name, without the name of the service. */
export type GrpcMethods = Readonly<Record<string, GrpcMethod>>;

/**
 * A handler for all servers, or one handler per server. `declared` means that the schema has the RPC, but java-tron
 * does not implement it.
 */
export type GrpcEntry<Handler = GrpcHandler> =
  | Handler
  | 'declared'
  | Readonly<Record<ServerName, Handler | 'declared'>>;

/**
 * Type of a table with one entry for each RPC of a table of `src/api/endpoints`. A missing entry is a compile error.
 */
export type MethodsOf<Rows extends Readonly<Record<string, RpcEndpoint>>> = {
  readonly [Name in Rows[keyof Rows]['rpc'][number]]: GrpcEntry<GrpcHandler<RpcRequest<Name>, RpcReply<Name>>>;
};

export function grpcMethod<Q extends object, R extends object>(
  run: GrpcHandler<Q, R>['run'],
  failure: Failure = 'silent',
): GrpcHandler<Q, R> {
  return { failure, isQuestion: false, run };
}

/** Creates a method whose reply depends only on the request and the view. */
export function cachedGrpcMethod<Q extends object, R extends object>(
  run: (request: Q, view: ChainView) => R | EncodedReply<R> | undefined,
  failure: Failure = 'silent',
): GrpcHandler<Q, R> {
  return { failure, isQuestion: true, run: (request, { view }) => run(request, view) };
}

/** Failure of a call with a gRPC status and a text. Most texts are those of java-tron or grpc-java. */
export class GrpcStatusError extends TronError<'GRPC_STATUS'> {
  /** gRPC status code. */
  readonly status: number;

  constructor(status: number, details: string) {
    super('GRPC_STATUS', details);
    this.status = status;
  }
}
