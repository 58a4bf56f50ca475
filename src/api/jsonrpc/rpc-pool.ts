import type { BudgetExceededError } from '../context/call-budget.js';
import type { PortView } from '../servers.js';
import type { RawJson } from './envelope.js';
import type { LogQuery } from './logs/log-filter.js';

/** Worker threads that answer expensive JSON-RPC calls. Every result equals the one of the calling thread. */
export interface RpcPool {
  /**
   * Runs a JSON-RPC method. Rejects with an RpcError or a JavaError.
   * @param values the parameters as their readers returned them, JSON values as `toPlain` returns them
   */
  rpc(view: PortView, method: string, values: readonly unknown[], reason?: BudgetExceededError): Promise<RawJson>;
  /** Returns a list of logs. Rejects with an RpcError. */
  logs(view: PortView, query: LogQuery): Promise<RawJson>;
}
