import type { Logger } from 'pino';
import type { ApiMiddleware } from '../../middleware/api-middleware.js';
import type { AdmittedCall } from '../../middleware/rate-limit.js';
import { type HttpAnswer, JSON_TYPE } from '../error-pages.js';
import type { IncomingRequest } from '../incoming-request.js';

/** What decides the answer to a request that was read. */
export interface HttpDispatcher {
  /** Name of the handler that a request comes to, by which it is limited; undefined where none is asked. */
  componentOf(request: Pick<IncomingRequest, 'method' | 'target'>): string | undefined;
  /**
   * Name under which a request counts where its path would make one of its own for each account; undefined: its path.
   */
  countedAs?(target: string): string | undefined;
  /** @throws an error of this program */
  answer(request: IncomingRequest): HttpAnswer | Promise<HttpAnswer>;
}

export interface AnswersOptions {
  readonly dispatcher: HttpDispatcher;
  /** Rates and counters; undefined: none. */
  readonly gate?: ApiMiddleware | undefined;
  /** Whether responses are counted, as those of the full node's servers are. */
  readonly countsResponses?: boolean;
  readonly log: Logger;
}

/** Answers requests of one server: lets them in by their rates, counts them, keeps failures from the callers. */
export class RateLimitedHandler {
  private readonly options: AnswersOptions;

  constructor(options: AnswersOptions) {
    this.options = options;
  }

  /** @param address whose calls count together */
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

  /** Never throws. The reference answers 200 with an empty body when an exception escapes a handler. */
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

/** Answer to a call that its limit turned away. Reference: RateLimiterServlet.service. */
export const LIMITED: HttpAnswer = {
  status: 200,
  type: JSON_TYPE,
  body: '{"Error":"class java.lang.IllegalAccessException : lack of computing resources"}\n',
};
