import type { MessageType } from '../../codec/descriptor.js';
import { TronError } from '../../primitives/errors.js';
import type { ApiContext, ChainView } from '../context/api-context.js';
import type { RpcEndpoint } from '../endpoints/endpoint-definition.js';
import type { ApiMiddleware } from '../middleware/api-middleware.js';
import type { RememberedIds } from '../operations/broadcast.js';
import type { RpcReply, RpcRequest } from '../rpc-services.js';
import type { ServerName } from '../servers.js';

/** What a method has at hand beside its request. */
export interface GrpcCall {
  readonly api: ApiContext;
  readonly view: ChainView;
  readonly remembered: RememberedIds;
  readonly gate?: ApiMiddleware | undefined;
}

/**
 * How a failure inside a method is shown. `silent`: UNKNOWN without a text; `internal`: INTERNAL with the text;
 * `argument`: INVALID_ARGUMENT with the text;
 * `thrown`: the reference catches nothing, so that its library answers UNKNOWN in the release's words.
 */
type Failure = 'silent' | 'internal' | 'argument' | 'thrown';

/** What answers an RPC; nothing found is answered with an empty message. */
export interface GrpcHandler<Q extends object = object, R extends object = object> {
  readonly failure: Failure;
  /** Whether the answer follows from request and view alone, so that it may be given again. */
  readonly isQuestion: boolean;
  /** @throws {ChainError | JavaError | GrpcStatusError} */
  run(request: Q, call: GrpcCall): R | undefined | Promise<R>;
}

/** One method of a service. */
export interface GrpcMethod extends GrpcHandler {
  readonly request: MessageType<object>;
}

/** Methods of a service by their short names. */
export type GrpcMethods = Readonly<Record<string, GrpcMethod>>;

/**
 * A handler, or one for each server. `declared`: the schema has the RPC, and the reference has not implemented it
 * there.
 */
export type GrpcEntry<Handler = GrpcHandler> =
  | Handler
  | 'declared'
  | Readonly<Record<ServerName, Handler | 'declared'>>;

/**
 * An entry for each RPC that the rows of a table of `src/api/endpoints` name; that one is missing does not
 * compile.
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

/** A method that sees nothing but its request and the view. */
export function cachedGrpcMethod<Q extends object, R extends object>(
  run: (request: Q, view: ChainView) => R | undefined,
  failure: Failure = 'silent',
): GrpcHandler<Q, R> {
  return { failure, isQuestion: true, run: (asked, { view }) => run(asked, view) };
}

/** A status with its text, where the reference answers one by itself. */
export class GrpcStatusError extends TronError<'GRPC_STATUS'> {
  /** Number of the status code. */
  readonly status: number;

  constructor(status: number, details: string) {
    super('GRPC_STATUS', details);
    this.status = status;
  }
}
