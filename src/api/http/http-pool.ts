import type { BudgetExceededError } from '../context/call-budget.js';
import type { ServerName } from '../servers.js';
import type { HttpAnswer } from './http-answer.js';
import type { IncomingRequest } from './incoming-request.js';

/** Worker threads that run expensive HTTP requests. The response does not depend on the thread. */
export interface HttpPool {
  /**
   * Runs a request. Never rejects, because a failure is also a response.
   * @param reason error with which the API thread stopped the request, because the request exceeded its time budget
   */
  http(server: ServerName, request: IncomingRequest, reason?: BudgetExceededError): Promise<HttpAnswer>;
}
