import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

/** Root of the repository. The relative path is the same from `src/api/follow` and from `dist/api/follow`. */
const ROOT = new URL('../../../', import.meta.url);

const FILES: readonly (readonly [path: string, file: string, type: string])[] = [
  ['/follow/', 'src/light-client/page/index.html', 'text/html; charset=utf-8'],
  ['/follow/follow.css', 'src/light-client/page/follow.css', 'text/css; charset=utf-8'],
  ['/follow/follow.js', 'dist/light-client/follow.js', 'text/javascript; charset=utf-8'],
];

/**
 * Content Security Policy of the page. The page runs only scripts of this node. It may open WebSockets to any node that
 * the user enters.
 */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self' ws: wss:; base-uri 'none'";

/**
 * Serves the browser light client at `/follow/`, and the addresses of this node.
 * @param addresses multiaddrs (libp2p addresses) of the node's follow service
 * @throws {Error} a file of the page is missing because the page was not built
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
