import type { HttpAnswer } from './http-answer.js';
import type { IncomingRequest } from './incoming-request.js';

export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** A path of a server, and its handler. */
export interface ServedPath {
  /** Path, or a pattern of Fastify's router such as `/v1/accounts/:1` or `/v1/*`. */
  readonly path: string;
  readonly methods: readonly HttpMethod[];
  /** Name of the handler in the rate limits; undefined if the path has no rate limit. */
  readonly component?: string | undefined;
  /**
   * Label in metrics, for a path that is a pattern. The requested path would not be suitable, because it contains
   * addresses. If undefined, the label is the requested path.
   */
  readonly label?: string;
  /**
   * Returns the response if the path is closed; undefined if it is open. Rate limits do not apply to such a response.
   */
  readonly refusal?: () => HttpAnswer | undefined;
  /** Returns the response to a request that the rate limit rejects. If undefined, java-tron's response is used. */
  readonly limited?: (request: IncomingRequest) => HttpAnswer;
  /**
   * Responds to a request.
   * @throws an error without a corresponding Java exception, which is a fault of this program
   */
  answer(request: IncomingRequest): HttpAnswer | Promise<HttpAnswer>;
}
