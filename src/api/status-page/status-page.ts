import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { addNetworkRoutes } from '../devnet/network-routes.js';
import { ControlError, type NetworkControl } from '../network-control.js';

/**
 * Files of the page as they stand in the repository: nothing builds them. From `src` and from `dist` alike it is three
 * steps up.
 */
const FOLDER = new URL('../../../src/api/status-page/page/', import.meta.url);

const SCRIPTS = [
  'account-plots.js',
  'decoded.js',
  'format.js',
  'live.js',
  'network-plots.js',
  'node.js',
  'plot.js',
  'queries.js',
  'search.js',
  'status.js',
  'tokens.js',
];
/** Where a private network has its panel in the page. */
const PANEL_PLACE = '<!-- devnet -->';

/** The page runs what this node sends and nothing else. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'";

/**
 * The status page at `/`, for people. It asks GraphQL of the same server.
 * @param network of a private network: its panel is on the page, with faucet and clock; elsewhere nothing of it is
 * served
 * @throws {Error} a file of the page is missing
 */
export async function serveStatusPage(app: FastifyInstance, network?: NetworkControl): Promise<void> {
  const page = await read('index.html');
  if (network === undefined) serve(app, '/', 'text/html', page.replace(PANEL_PLACE, ''));
  else {
    serve(app, '/', 'text/html', page.replace(PANEL_PLACE, await read('devnet.html')));
    serve(app, '/devnet.js', 'text/javascript', await read('devnet.js'));
    await app.register(async (scope) => serveControl(scope, network));
  }
  for (const file of ['status.css', 'parts.css', 'plots.css']) serve(app, `/${file}`, 'text/css', await read(file));
  for (const file of SCRIPTS) serve(app, `/${file}`, 'text/javascript', await read(file));
}

/** What is refused is a sentence for the person at the page. */
function serveControl(app: FastifyInstance, network: NetworkControl): void {
  app.setErrorHandler((error, _, reply) => {
    const status = error instanceof ControlError ? 400 : ((error as { statusCode?: number }).statusCode ?? 500);
    return reply.code(status).send({ error: (error as Error).message });
  });
  addNetworkRoutes(app, network);
}

function serve(app: FastifyInstance, path: string, type: string, text: string): void {
  app.get(path, (_, reply) =>
    reply
      .type(`${type}; charset=utf-8`)
      .header('cache-control', 'no-cache')
      .header('content-security-policy', POLICY)
      .header('x-content-type-options', 'nosniff')
      .send(text),
  );
}

function read(file: string): Promise<string> {
  return readFile(new URL(file, FOLDER), 'utf8');
}
