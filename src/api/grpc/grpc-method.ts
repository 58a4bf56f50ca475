import type { MessageType } from '../../codec/descriptor.js';
import { TronError } from '../../domain/errors.js';
import type { ApiContext, ChainView } from '../api-context.js';
import type { ApiGate } from '../api-gate.js';
import type { RememberedIds } from '../operations/broadcast.js';

/** What a method has at hand beside its request. */
export interface GrpcCall {
  readonly api: ApiContext;
  readonly view: ChainView;
  readonly remembered: RememberedIds;
  readonly gate?: ApiGate | undefined;
}

/**
 * How a failure inside a method is shown. `silent`: UNKNOWN without a text; `internal`: INTERNAL with the text;
 * `argument`: INVALID_ARGUMENT with the text;
 * `thrown`: the reference catches nothing, so that its library answers UNKNOWN in the release's words.
 */
type Failure = 'silent' | 'internal' | 'argument' | 'thrown';

/** One method; nothing found is answered with an empty message. */
export interface GrpcMethod<Q extends object = object> {
  readonly request: MessageType<Q>;
  readonly failure: Failure;
  /** Whether the answer follows from request and view alone, so that it may be given again. */
  readonly isQuestion: boolean;
  /** @throws {ChainError | JavaError | GrpcStatusError} */
  run(request: Q, call: GrpcCall): object | undefined | Promise<object>;
}

/** Methods of a service by their short names. */
export type GrpcMethods = Readonly<Record<string, GrpcMethod>>;

export function method<Q extends object>(
  request: MessageType<Q>,
  run: GrpcMethod<Q>['run'],
  failure: Failure = 'silent',
): GrpcMethod {
  return { request, failure, isQuestion: false, run } as GrpcMethod;
}

/** A method that sees nothing but its request and the view. */
export function question<Q extends object>(
  request: MessageType<Q>,
  run: (request: Q, view: ChainView) => object | undefined,
  failure: Failure = 'silent',
): GrpcMethod {
  return { request, failure, isQuestion: true, run: (asked: Q, { view }) => run(asked, view) } as GrpcMethod;
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
