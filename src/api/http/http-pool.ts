import type { BudgetExceededError } from '../context/call-budget.js';
import type { ServerName } from '../servers.js';
import type { HttpAnswer } from './error-pages.js';
import type { IncomingRequest } from './incoming-request.js';

/** Worker threads that answer expensive HTTP requests. Every answer equals the one of the calling thread. */
export interface HttpPool {
  /** Resolves in any case; an error is an answer too. @param reason the limit that the request exceeded here */
  http(server: ServerName, request: IncomingRequest, reason?: BudgetExceededError): Promise<HttpAnswer>;
}
