import type { FastifyInstance } from 'fastify';
import type { NotReady } from './readiness.js';

const NOT_READY = 503;

/**
 * Adds `/healthz` and `/readyz` to the server of the status page. `/healthz` has status 200 while the process answers.
 * `/readyz` has status 503 with a list of reasons while the node must not receive requests of clients.
 */
export function serveHealth(app: FastifyInstance, notReady: () => readonly NotReady[]): void {
  app.get('/healthz', (_, reply) => reply.header('cache-control', 'no-store').send({ healthy: true }));
  app.get('/readyz', (_, reply) => {
    const reasons = notReady();
    return reply
      .code(reasons.length === 0 ? 200 : NOT_READY)
      .header('cache-control', 'no-store')
      .send({ ready: reasons.length === 0, reasons });
  });
}
