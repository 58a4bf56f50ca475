import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { RequestSources } from './request-sources.js';

/** Time for which a browser may cache the response to a preflight request, in seconds. */
const MAX_AGE_S = 600;

/**
 * Adds CORS headers, so that pages of other origins can read responses (`tronicle.api.cors`). java-tron sends no such
 * headers.
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
