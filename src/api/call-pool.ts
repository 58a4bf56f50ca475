import type { PortView } from './api-context.js';
import type { TooCostly } from './call-budget.js';
import type { GrpcReply } from './grpc/grpc-reply.js';
import type { HttpAnswer } from './http/error-pages.js';
import type { IncomingRequest } from './http/incoming-request.js';
import type { RawJson } from './jsonrpc/envelope.js';
import type { LogQuery } from './jsonrpc/logs/log-filter.js';
import type { ServerName } from './servers.js';

/**
 * Threads that answer what would take long here. Every answer is the one that this thread would give. `reason` says
 * what was too costly here; what it takes in the pool is noted.
 */
export interface CallPool {
  /** Resolves in any case: what refuses it is an answer too. */
  http(server: ServerName, request: IncomingRequest, reason?: TooCostly): Promise<HttpAnswer>;
  /** Resolves in any case. @param name `protocol.<Service>/<Method>` */
  grpc(server: ServerName, name: string, request: Uint8Array, reason?: TooCostly): Promise<GrpcReply>;
  /**
   * Runs a method of JSON-RPC. Rejects with an RpcError or a JavaError.
   * @param values its parameters as its readers gave them, JSON values as `toPlain` makes them
   */
  rpc(view: PortView, method: string, values: readonly unknown[], reason?: TooCostly): Promise<RawJson>;
  /** A list of logs. Rejects with an RpcError. */
  logs(view: PortView, query: LogQuery): Promise<RawJson>;
}
