import type { Logger } from 'pino';
import type { ApiMiddleware } from '../../middleware/api-middleware.js';
import type { AdmittedCall } from '../../middleware/rate-limit.js';
import { type HttpAnswer, JSON_TYPE } from '../error-pages.js';
import type { IncomingRequest } from '../incoming-request.js';

/** Selects the handler of a request and answers it. */
export interface HttpDispatcher {
  /** Returns the name of the handler that would serve the request, for rate limits; undefined if none would. */
  componentOf(request: Pick<IncomingRequest, 'method' | 'target'>): string | undefined;
  /**
   * Returns the metrics label of a path that contains an address: one label for all such paths, to limit their number.
   * Undefined: the path itself is the label.
   */
  countedAs?(target: string): string | undefined;
  /** @throws any error of this program */
  answer(request: IncomingRequest): HttpAnswer | Promise<HttpAnswer>;
}

export interface AnswersOptions {
  readonly dispatcher: HttpDispatcher;
  /** Rate limits and counters; undefined: none. */
  readonly gate?: ApiMiddleware | undefined;
  /** True to count responses, as the full node's servers do. */
  readonly countsResponses?: boolean;
  readonly log: Logger;
}

/** Answers requests of a server: applies rate limits, counts requests and hides internal errors. */
export class RateLimitedHandler {
  private readonly options: AnswersOptions;

  constructor(options: AnswersOptions) {
    this.options = options;
  }

  /** @param address source address, for rate limits */
  answer(request: IncomingRequest, address: string): HttpAnswer | Promise<HttpAnswer> {
    const { dispatcher, gate } = this.options;
    const component = gate === undefined ? undefined : dispatcher.componentOf(request);
    if (gate === undefined || component === undefined) return this.counted(request, this.run(request));
    const entry = gate.admission.enter('http', component, address);
    if (entry instanceof Promise) return entry.then((given) => this.serve(request, given, gate));
    return this.serve(request, entry, gate);
  }

  private serve(
    request: IncomingRequest,
    entry: AdmittedCall,
    { metrics }: ApiMiddleware,
  ): HttpAnswer | Promise<HttpAnswer> {
    if (!entry.isAdmitted) return this.counted(request, LIMITED);
    const started = performance.now();
    const end = (answer: HttpAnswer): HttpAnswer => {
      entry.leave();
      metrics.servletDone(this.urlOf(request, metrics), (performance.now() - started) / 1000);
      return this.counted(request, answer) as HttpAnswer;
    };
    const answer = this.run(request);
    return answer instanceof Promise ? answer.then(end) : end(answer);
  }

  private counted(
    request: IncomingRequest,
    answer: HttpAnswer | Promise<HttpAnswer>,
  ): HttpAnswer | Promise<HttpAnswer> {
    const { gate, countsResponses } = this.options;
    if (gate === undefined || countsResponses !== true) return answer;
    if (answer instanceof Promise) return answer.then((later) => this.counted(request, later));
    gate.metrics.responseSent(this.urlOf(request, gate.metrics), answer.status, Buffer.byteLength(answer.body ?? ''));
    return answer;
  }

  private urlOf({ target }: IncomingRequest, metrics: ApiMiddleware['metrics']): string {
    return this.options.dispatcher.countedAs?.(target) ?? metrics.urlOf(target);
  }

  /** Never throws. java-tron answers 200 with an empty body if an exception escapes a handler. */
  private run(request: IncomingRequest): HttpAnswer | Promise<HttpAnswer> {
    const { dispatcher, log } = this.options;
    const failed = (error: unknown): HttpAnswer => {
      log.error({ err: error, path: request.target }, 'request failed');
      return { status: 200, type: JSON_TYPE };
    };
    try {
      const answer = dispatcher.answer(request);
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
