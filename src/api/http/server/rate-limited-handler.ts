import type { Logger } from 'pino';
import type { ApiMiddleware } from '../../middleware/api-middleware.js';
import type { AdmittedCall } from '../../middleware/rate-limit.js';
import { errorAnswer, type HttpAnswer, JSON_TYPE } from '../http-answer.js';
import type { IncomingRequest } from '../incoming-request.js';
import type { ServedPath } from '../served-path.js';

export interface RateLimitedHandlerOptions {
  /** Rate limits and counters; undefined to apply none. */
  readonly gate?: ApiMiddleware | undefined;
  /** True if responses are counted in metrics. Only the servers of the full node count them. */
  readonly countsResponses?: boolean;
  readonly log: Logger;
}

/** Responds to the requests of a server: applies rate limits, counts requests and hides internal errors. */
export class RateLimitedHandler {
  private readonly options: RateLimitedHandlerOptions;

  constructor(options: RateLimitedHandlerOptions) {
    this.options = options;
  }

  /** Responds to a request. Never throws or rejects. @param address source address of the request, for rate limits */
  answer(path: ServedPath, request: IncomingRequest, address: string): HttpAnswer | Promise<HttpAnswer> {
    const { gate } = this.options;
    const refused = path.refusal?.();
    if (refused !== undefined) return this.counted(request, refused, path.label);
    if (gate === undefined || path.component === undefined) {
      const answer = this.run(path, request);
      return answer instanceof Promise
        ? answer.then((later) => this.counted(request, later, path.label))
        : this.counted(request, answer, path.label);
    }
    const entry = gate.admission.enter('http', path.component, address);
    if (entry instanceof Promise) return entry.then((admitted) => this.serve(path, request, admitted, gate));
    return this.serve(path, request, entry, gate);
  }

  /** Counts a response and returns it. @param label label in metrics; if undefined, the path of the request */
  counted(request: IncomingRequest, answer: HttpAnswer, label?: string): HttpAnswer {
    const { gate, countsResponses } = this.options;
    if (gate === undefined || countsResponses !== true) return answer;
    const { metrics } = gate;
    const url = label ?? metrics.urlOf(request.target);
    metrics.responseSent(url, answer.status, Buffer.byteLength(answer.body ?? ''));
    return answer;
  }

  private serve(
    path: ServedPath,
    request: IncomingRequest,
    entry: AdmittedCall,
    { metrics }: ApiMiddleware,
  ): HttpAnswer | Promise<HttpAnswer> {
    if (!entry.isAdmitted) return this.counted(request, path.limited?.(request) ?? LIMITED, path.label);
    const started = performance.now();
    const end = (answer: HttpAnswer): HttpAnswer => {
      entry.leave();
      metrics.servletDone(path.label ?? metrics.urlOf(request.target), (performance.now() - started) / 1000);
      return this.counted(request, answer, path.label);
    };
    const answer = this.run(path, request);
    return answer instanceof Promise ? answer.then(end) : end(answer);
  }

  /** Runs the handler of a path. Never throws or rejects. For an internal error, the response contains no details. */
  private run(path: ServedPath, request: IncomingRequest): HttpAnswer | Promise<HttpAnswer> {
    const failed = (error: unknown): HttpAnswer => {
      this.options.log.error({ err: error, path: request.target }, 'request failed');
      return INTERNAL;
    };
    try {
      const answer = path.answer(request);
      return answer instanceof Promise ? answer.catch(failed) : answer;
    } catch (error) {
      return failed(error);
    }
  }
}

/** Response to a call that exceeded its rate limit. Reference: RateLimiterServlet.service. */
export const LIMITED: HttpAnswer = {
  status: 200,
  type: JSON_TYPE,
  body: '{"Error":"class java.lang.IllegalAccessException : lack of computing resources"}\n',
};

const INTERNAL = errorAnswer(500, 'internal error');
