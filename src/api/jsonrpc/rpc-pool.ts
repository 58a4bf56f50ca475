import type { BudgetExceededError } from '../context/call-budget.js';
import type { PortView } from '../servers.js';
import type { RawJson } from './envelope.js';
import type { LogQuery } from './logs/log-filter.js';

/** Worker threads that run expensive JSON-RPC calls. The result does not depend on the thread. */
export interface RpcPool {
  /**
   * Runs a JSON-RPC method. Rejects with an RpcError or a JavaError.
   * @param values parsed parameters; JSON values must be in the form that `toPlain` returns
   */
  rpc(view: PortView, method: string, values: readonly unknown[], reason?: BudgetExceededError): Promise<RawJson>;
  /** Returns the matching logs as a JSON list. Rejects with an RpcError. */
  logs(view: PortView, query: LogQuery): Promise<RawJson>;
}
