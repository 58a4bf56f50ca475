import type { BudgetExceededError } from '../context/call-budget.js';
import type { ServerName } from '../servers.js';
import type { HttpAnswer } from './http-answer.js';
import type { IncomingRequest } from './incoming-request.js';

/** Worker threads that answer expensive HTTP requests. A response does not depend on the thread. */
export interface HttpPool {
  /** Answers a request. Never rejects: a failure is a response too. @param reason the time budget that was exceeded */
  http(server: ServerName, request: IncomingRequest, reason?: BudgetExceededError): Promise<HttpAnswer>;
}
