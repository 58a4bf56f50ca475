import type { BudgetExceededError } from '../context/call-budget.js';
import type { ServerName } from '../servers.js';
import type { GrpcReply } from './grpc-reply.js';

/** Worker threads that answer expensive gRPC calls. Every reply equals the one of the calling thread. */
export interface GrpcPool {
  /** Resolves in any case; an error is a reply too. @param name `protocol.<Service>/<Method>` */
  grpc(server: ServerName, name: string, request: Uint8Array, reason?: BudgetExceededError): Promise<GrpcReply>;
}
