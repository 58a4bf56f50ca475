import type { FastifyInstance } from 'fastify';
import { isJsonType, type RequestSources } from './request-sources.js';

/** Refuses requests that name another host, so that a page cannot read the server through a DNS name of its own. */
export function requireOwnHost(app: FastifyInstance, sources: RequestSources): void {
  app.addHook('onRequest', async ({ headers: { host } }, reply) => {
    const error = sources.hostRefusal(host);
    if (error !== undefined) return reply.code(403).send({ error });
  });
}

/** Refuses requests with a body that a page of another origin could send. */
export function requireOwnPage(app: FastifyInstance, sources: RequestSources): void {
  app.addHook('onRequest', async ({ headers }, reply) => {
    const refusal = sources.changeRefusal(headers);
    if (refusal !== undefined) return reply.code(403).send({ error: refusal });
    const hasBody = (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;
    if (hasBody && !isJsonType(headers['content-type']))
      return reply.code(415).send({ error: 'the body needs the header content-type: application/json' });
  });
}
