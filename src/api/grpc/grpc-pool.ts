import type { BudgetExceededError } from '../context/call-budget.js';
import type { ServerName } from '../servers.js';
import type { GrpcReply } from './grpc-reply.js';

/** Worker threads that run expensive gRPC calls. The reply does not depend on the thread. */
export interface GrpcPool {
  /**
   * Runs a call. Never rejects, because a failure is also a reply.
   * @param name full name of the method, `protocol.<Service>/<Method>`
   * @param reason error with which this thread stopped the call, because the call exceeded the time budget of this
   * thread
   */
  grpc(server: ServerName, name: string, request: Uint8Array, reason?: BudgetExceededError): Promise<GrpcReply>;
}
