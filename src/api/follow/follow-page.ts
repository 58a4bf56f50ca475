import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

/** From `src` and from `dist` alike it is three steps up. */
const ROOT = new URL('../../../', import.meta.url);

const FILES: readonly (readonly [path: string, file: string, type: string])[] = [
  ['/follow/', 'src/light-client/page/index.html', 'text/html; charset=utf-8'],
  ['/follow/follow.css', 'src/light-client/page/follow.css', 'text/css; charset=utf-8'],
  ['/follow/follow.js', 'dist/light-client/follow.js', 'text/javascript; charset=utf-8'],
];

/** The page runs what this node sends and links itself to whatever node it is told. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self' ws: wss:; base-uri 'none'";

/**
 * The page by which a browser follows the chain at `/follow/`, and where it finds this node.
 * @param addresses multiaddrs on which the node is followed
 * @throws {Error} a file of the page is missing: it is not built
 */
export async function serveFollowPage(app: FastifyInstance, addresses: Promise<readonly string[]>): Promise<void> {
  for (const [path, file, type] of FILES) {
    const text = await readFile(new URL(file, ROOT), 'utf8');
    app.get(path, (_, reply) =>
      reply
        .type(type)
        .header('cache-control', 'no-cache')
        .header('content-security-policy', POLICY)
        .header('x-content-type-options', 'nosniff')
        .send(text),
    );
  }
  app.get('/follow', (_, reply) => reply.redirect('/follow/'));
  app.get('/follow/node.json', async () => ({ addresses: await addresses }));
}
