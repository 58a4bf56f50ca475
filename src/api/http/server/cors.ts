import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** A browser may keep the answer to its question for this time, s. */
const MAX_AGE_S = 600;

/**
 * Lets pages of other origins read the answers (`tronicle.api.cors`). The reference sends no such headers: without
 * origins there is none of this.
 */
export class Cors {
  private readonly origins: ReadonlySet<string>;
  private readonly isAny: boolean;

  /** @param origins as browsers write them, or `*` for any */
  constructor(origins: readonly string[]) {
    this.origins = new Set(origins);
    this.isAny = this.origins.has('*');
  }

  /** Adds what a browser asks for, and answers its question before a request. @returns whether it was one */
  answer({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
    const { origin } = headers;
    if (!this.isAny) response.setHeader('vary', 'origin');
    if (origin === undefined || !(this.isAny || this.origins.has(origin))) return false;
    response.setHeader('access-control-allow-origin', this.isAny ? '*' : origin);
    const asked = headers['access-control-request-method'];
    if (method !== 'OPTIONS' || asked === undefined) return false;
    response.setHeader('access-control-allow-methods', 'GET, HEAD, POST, OPTIONS');
    response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? 'content-type');
    response.setHeader('access-control-max-age', MAX_AGE_S);
    response.writeHead(204).end();
    return true;
  }
}

/** The same for a server of Fastify's. Call it before routes are added. */
export function addCors(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const cors = new Cors(origins);
  app.addHook('onRequest', (request, reply, done) => {
    if (cors.answer(request.raw, reply.raw)) reply.hijack();
    done();
  });
}
