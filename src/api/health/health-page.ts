import type { FastifyInstance } from 'fastify';
import type { UnreadyReason } from './readiness.js';

const NOT_READY = 503;

/**
 * Adds `/healthz` and `/readyz` to the server of the status page. `/healthz` always responds with status 200, as a sign
 * that the process is alive. If the node is not ready for clients, `/readyz` responds with status 503 and a list of
 * reasons.
 */
export function serveHealth(app: FastifyInstance, notReady: () => readonly UnreadyReason[]): void {
  app.get('/healthz', (_, reply) => reply.header('cache-control', 'no-store').send({ healthy: true }));
  app.get('/readyz', (_, reply) => {
    const reasons = notReady();
    return reply
      .code(reasons.length === 0 ? 200 : NOT_READY)
      .header('cache-control', 'no-store')
      .send({ ready: reasons.length === 0, reasons });
  });
}
