import type { FastifyInstance } from 'fastify';
import { isJsonType, type RequestSources } from './request-sources.js';

/**
 * Adds a check that rejects requests whose `Host` does not name this node. It prevents DNS rebinding, with which a web
 * page could read this server under the page's own DNS name.
 */
export function requireOwnHost(app: FastifyInstance, sources: RequestSources): void {
  app.addHook('onRequest', async ({ headers: { host } }, reply) => {
    const error = sources.hostRefusal(host);
    if (error !== undefined) return reply.code(403).send({ error });
  });
}

/**
 * Adds a check that rejects requests of web pages that must not change the network (status 403), and requests whose
 * body is not JSON (status 415). A browser sends JSON to another origin only if that server allows it.
 */
export function requireOwnPage(app: FastifyInstance, sources: RequestSources): void {
  app.addHook('onRequest', async ({ headers }, reply) => {
    const refusal = sources.changeRefusal(headers);
    if (refusal !== undefined) return reply.code(403).send({ error: refusal });
    const hasBody = (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;
    if (hasBody && !isJsonType(headers['content-type']))
      return reply.code(415).send({ error: 'the body needs the header content-type: application/json' });
  });
}
