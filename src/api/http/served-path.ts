import type { HttpAnswer } from './http-answer.js';
import type { IncomingRequest } from './incoming-request.js';

export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** A path of a server with its handler. */
export interface ServedPath {
  /** Path, or a pattern of Fastify's router such as `/v1/accounts/:1` or `/v1/*`. */
  readonly path: string;
  readonly methods: readonly HttpMethod[];
  /** Name of the handler in the rate limits; undefined if the path has no rate limit. */
  readonly component?: string | undefined;
  /**
   * Label in metrics. Set for patterns, because their paths contain addresses. Undefined to use the path of the
   * request.
   */
  readonly label?: string;
  /**
   * Returns the response if the path is closed, or undefined if it is open. Rate limits do not count such a response.
   */
  readonly refusal?: () => HttpAnswer | undefined;
  /** Answers a request. @throws an error that no Java exception corresponds to, which is a fault of this program */
  answer(request: IncomingRequest): HttpAnswer | Promise<HttpAnswer>;
}
