import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { RequestSources } from './request-sources.js';

/** Time in seconds for which a browser may cache the response to a preflight request. */
const MAX_AGE_S = 600;

/**
 * Adds CORS headers (`tronicle.api.cors`), so that web pages of other origins can read responses. java-tron sends no
 * such headers.
 */
export function addCors(app: FastifyInstance, sources: RequestSources): void {
  app.register(cors, {
    origin: sources.isOpen
      ? '*'
      : (origin, done) => done(null, origin !== undefined && sources.mayRead(origin) ? origin : false),
    methods: 'GET, HEAD, POST, OPTIONS',
    maxAge: MAX_AGE_S,
    strictPreflight: false,
  });
}
