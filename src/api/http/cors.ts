import type { FastifyInstance } from 'fastify';

/** A browser may keep the answer to its question for this time, s. */
const MAX_AGE_S = 600;

/**
 * Lets pages of other origins read the answers (`tronicle.api.cors`). The reference sends no such headers, so nothing is added
 * without origins. Call it before routes are added.
 * @param origins as browsers write them, or `*` for any
 */
export function addCors(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const isAny = origins.includes('*');
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    if (!isAny) reply.header('vary', 'origin');
    if (origin === undefined || !(isAny || origins.includes(origin))) return;
    reply.header('access-control-allow-origin', isAny ? '*' : origin);
    const asked = request.headers['access-control-request-method'];
    if (request.method !== 'OPTIONS' || asked === undefined) return;
    reply.header('access-control-allow-methods', 'GET, HEAD, POST, OPTIONS');
    reply.header('access-control-allow-headers', request.headers['access-control-request-headers'] ?? 'content-type');
    reply.header('access-control-max-age', MAX_AGE_S);
    reply.code(204).send();
    return reply;
  });
}
