import type { BudgetExceededError } from '../context/call-budget.js';
import type { ServerName } from '../servers.js';
import type { GrpcReply } from './grpc-reply.js';

/** Worker threads that answer expensive gRPC calls. A reply does not depend on the thread. */
export interface GrpcPool {
  /**
   * Answers a call. Never rejects, because a failure is also a reply.
   * @param name name of the method, as `protocol.<Service>/<Method>`
   */
  grpc(server: ServerName, name: string, request: Uint8Array, reason?: BudgetExceededError): Promise<GrpcReply>;
}
