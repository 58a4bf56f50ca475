import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { ServerName } from '../servers.js';
import { type DocumentOptions, openApiDocument } from './document.js';

interface OpenApiOptions extends DocumentOptions {
  /** Servers to which the page sends test calls. The servers need not listen on a port. */
  readonly servers: ReadonlyMap<ServerName, Pick<FastifyInstance, 'inject'>>;
}

/** Folder of the page. The relative path is the same from `src/api/openapi` and from `dist/api/openapi`. */
const FOLDER = new URL('../../../src/api/openapi/page/', import.meta.url);
const FILES: readonly (readonly [path: string, file: string, type: string])[] = [
  ['/http-api', 'index.html', 'text/html; charset=utf-8'],
  ['/http-api/try.js', 'try.js', 'text/javascript; charset=utf-8'],
  ['/http-api/try.css', 'try.css', 'text/css; charset=utf-8'],
];
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'";
/** Maximum size of the body of a test call, in bytes. */
const BODY_BYTES_MAX = 256 * 1024;

/**
 * Serves the OpenAPI document at `/openapi.json`, and a page for test calls at `/http-api`. The page sends its calls to
 * `/http-api/try/<server>` on its own port, because it cannot read responses of another port.
 */
export async function serveOpenApi(app: FastifyInstance, options: OpenApiOptions): Promise<void> {
  const document = JSON.stringify(openApiDocument(options));
  app.get('/openapi.json', (_, reply) => reply.type('application/json; charset=utf-8').send(document));
  for (const [path, file, type] of FILES) {
    const text = await readFile(new URL(file, FOLDER), 'utf8');
    app.get(path, (_, reply) =>
      reply
        .type(type)
        .header('cache-control', 'no-cache')
        .header('content-security-policy', POLICY)
        .header('x-content-type-options', 'nosniff')
        .send(text),
    );
  }
  await app.register(async (scope) => serveTried(scope, options.servers));
}

function serveTried(scope: FastifyInstance, servers: OpenApiOptions['servers']): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX }, (_, body, done) =>
    done(null, body),
  );
  scope.route<{ Params: { server: string; '*': string } }>({
    method: ['GET', 'POST'],
    url: '/http-api/try/:server/*',
    handler: async (request, reply) => {
      const server = servers.get(request.params.server as ServerName);
      if (server === undefined) return reply.code(404).send({ error: 'no such server' });
      const query = request.originalUrl.indexOf('?');
      const answer = await server.inject({
        method: request.method as 'GET' | 'POST',
        url: `/${request.params['*']}${query < 0 ? '' : request.originalUrl.slice(query)}`,
        remoteAddress: request.ip,
        ...(request.body instanceof Buffer ? { payload: request.body } : {}),
      });
      return reply
        .code(answer.statusCode)
        .type(String(answer.headers['content-type'] ?? 'text/plain'))
        .header('content-security-policy', "default-src 'none'")
        .header('x-content-type-options', 'nosniff')
        .send(answer.rawPayload);
    },
  });
}
