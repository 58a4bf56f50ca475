import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { RequestSources } from './request-sources.js';

/** Time for which a browser may cache the response to a preflight request, in seconds. */
const MAX_AGE_S = 600;

/**
 * Adds CORS headers, so that pages of other origins can read responses (`tronicle.api.cors`). java-tron sends no such
 * headers. They are not sent if no page may read responses.
 */
export class Cors {
  private readonly sources: RequestSources;

  constructor(sources: RequestSources) {
    this.sources = sources;
  }

  /** Adds the CORS headers and answers a preflight request. @returns true if it was a preflight request */
  answer({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
    const { origin } = headers;
    const { isOpen } = this.sources;
    if (!isOpen) response.setHeader('vary', 'origin');
    if (origin === undefined || !this.sources.mayRead(origin)) return false;
    response.setHeader('access-control-allow-origin', isOpen ? '*' : origin);
    const asked = headers['access-control-request-method'];
    if (method !== 'OPTIONS' || asked === undefined) return false;
    response.setHeader('access-control-allow-methods', 'GET, HEAD, POST, OPTIONS');
    response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? 'content-type');
    response.setHeader('access-control-max-age', MAX_AGE_S);
    response.writeHead(204).end();
    return true;
  }
}

/** Adds CORS to a Fastify server. Must be called before routes are added. */
export function addCors(app: FastifyInstance, sources: RequestSources): void {
  if (!sources.servesPages) return;
  const cors = new Cors(sources);
  app.addHook('onRequest', (request, reply, done) => {
    if (cors.answer(request.raw, reply.raw)) reply.hijack();
    done();
  });
}
