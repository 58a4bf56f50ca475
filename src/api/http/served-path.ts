import type { HttpAnswer } from './http-answer.js';
import type { IncomingRequest } from './incoming-request.js';

export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** A path of a server with its handler. */
export interface ServedPath {
  /** Path, or a pattern of Fastify's router: `/v1/accounts/:1`, `/v1/*`. */
  readonly path: string;
  readonly methods: readonly HttpMethod[];
  /** Name of the handler in the rate limits; undefined: not limited. */
  readonly component?: string | undefined;
  /** Label in metrics, for patterns that contain an address. Undefined: the path of the request. */
  readonly label?: string;
  /** Returns the answer of a closed path, which is not counted by the rate limits; undefined if the path is open. */
  readonly refusal?: () => HttpAnswer | undefined;
  /** @throws any error of this program */
  answer(request: IncomingRequest): HttpAnswer | Promise<HttpAnswer>;
}
