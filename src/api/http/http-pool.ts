import type { BudgetExceededError } from '../context/call-budget.js';
import type { ServerName } from '../servers.js';
import type { HttpAnswer } from './http-answer.js';
import type { IncomingRequest } from './incoming-request.js';

/** Worker threads that run expensive HTTP requests. The response does not depend on the thread. */
export interface HttpPool {
  /**
   * Runs a request. Never rejects, because a failure is also a response.
   * @param reason error of the API thread, whose time budget the request exceeded
   */
  http(server: ServerName, request: IncomingRequest, reason?: BudgetExceededError): Promise<HttpAnswer>;
}
