import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { addNetworkRoutes, addSnapshotRoutes } from '../../api/devnet/network-routes.js';
import { createServer } from '../../api/http/server/create-server.js';
import { requireOwnPage } from '../../api/http/server/own-host.js';
import type { RequestSources } from '../../api/http/server/request-sources.js';
import type { NetworkControl } from '../../api/network-control.js';
import { sha256 } from '../../crypto/hash.js';
import { TronError } from '../../primitives/errors.js';
import type { BackfillRequest, SinkControl } from '../sinks/sink-control.js';
import type { SinkJson } from '../sinks/sink-registry.js';
import { type AbiRoutesOptions, addAbiRoutes } from './abi-routes.js';

interface AdminServerOptions {
  readonly sinks: SinkControl;
  /** Controls of a private network; undefined if the node has no control routes. */
  readonly network?: NetworkControl | undefined;
  readonly abis: AbiRoutesOptions;
  readonly token: string;
  /** Rules that decide from which web pages (origin and host name) the server accepts requests. */
  readonly sources: RequestSources;
  readonly log: Logger;
}

/** Maximum size of a request body, in bytes. Sink configurations are small. */
const BODY_BYTES_MAX = 64 * 1024;
const REQUEST_MS = 30_000;
const CONNECTIONS_MAX = 32;

/**
 * Creates the HTTP server that commands use to change a running node. Every request needs the admin token as bearer
 * token. The server does not listen yet.
 */
export function createAdminServer(options: AdminServerOptions): FastifyInstance {
  const { sinks, network, abis, token, sources, log } = options;
  const { app } = createServer({
    bodyBytesMax: BODY_BYTES_MAX,
    connectionsMax: CONNECTIONS_MAX,
    requestTimeoutMs: REQUEST_MS,
  });
  const expected = sha256(Buffer.from(`Bearer ${token}`));
  requireOwnPage(app, sources);
  app.addHook('onRequest', async (request, reply) => {
    const tokenHash = sha256(Buffer.from(request.headers.authorization ?? ''));
    if (!timingSafeEqual(tokenHash, expected)) return reply.code(401).send({ error: 'wrong or missing token' });
  });
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof TronError) return reply.code(400).send({ error: error.message });
    const status = (error as { statusCode?: number }).statusCode ?? 500;
    if (status >= 500) log.error({ err: error, path: request.url }, 'admin request failed');
    return reply.code(status).send({ error: (error as Error).message });
  });
  app.get('/sinks', async () => sinks.list());
  app.post('/sinks', { schema: object('name', 'type') }, async ({ body }) => {
    await sinks.add(body as SinkJson);
    return { added: (body as SinkJson).name };
  });
  const named = (path: string, act: (name: string) => Promise<void>): void => {
    app.post<{ Params: { name: string } }>(`/sinks/:name/${path}`, async ({ params }) => {
      await act(params.name);
      return { sink: params.name, done: path };
    });
  };
  named('pause', (name) => sinks.pause(name));
  named('resume', (name) => sinks.resume(name));
  named('remove', (name) => sinks.remove(name));
  app.post<{ Params: { name: string } }>('/sinks/:name/filter', { schema: object() }, async ({ params, body }) => {
    await sinks.setFilter(params.name, body as object);
    return { sink: params.name, done: 'filter' };
  });
  app.post('/backfill', { schema: backfillSchema }, async ({ body }) => {
    const { sink, note } = await sinks.backfill(body as BackfillRequest);
    return note === undefined ? { sink } : { note, sink };
  });
  addAbiRoutes(app, abis);
  if (network !== undefined) {
    addNetworkRoutes(app, network);
    addSnapshotRoutes(app, network);
  }
  return app;
}

function object(...required: readonly string[]): object {
  return { body: { type: 'object', required } };
}

const height = { type: 'integer', minimum: 0 };
const backfillSchema = {
  body: {
    type: 'object',
    required: ['sink', 'topic', 'from'],
    additionalProperties: false,
    properties: {
      sink: { type: 'string' },
      topic: { type: 'string' },
      from: height,
      to: height,
      into: { type: 'string' },
    },
  },
};
