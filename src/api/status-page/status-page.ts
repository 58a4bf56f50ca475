import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { addNetworkRoutes } from '../devnet/network-routes.js';
import { requireOwnPage } from '../http/server/own-host.js';
import type { RequestSources } from '../http/server/request-sources.js';
import { ControlError, type NetworkControl } from '../network-control.js';

/**
 * Folder of the page. The relative path is the same from `src/api/status-page` and from `dist/api/status-page`. The
 * files are served without a build.
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
/** Text in the page that is replaced by the control panel of a private network. */
const PANEL_PLACE = '<!-- devnet -->';

/** Content Security Policy: the page runs only scripts of this node. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'";

/** Control of a private network, and the rules that decide which web pages may use it. */
interface PageControl {
  readonly network: NetworkControl;
  readonly sources: RequestSources;
}

/**
 * Serves the status page at `/`. The page sends GraphQL queries to the same server.
 * @param control control of a private network; if set, the page has a panel with faucet and clock
 * @throws {Error} a file of the page is missing
 */
export async function serveStatusPage(app: FastifyInstance, control?: PageControl): Promise<void> {
  const page = await read('index.html');
  if (control === undefined) serve(app, '/', 'text/html', page.replace(PANEL_PLACE, ''));
  else {
    serve(app, '/', 'text/html', page.replace(PANEL_PLACE, await read('devnet.html')));
    serve(app, '/devnet.js', 'text/javascript', await read('devnet.js'));
    await app.register(async (scope) => serveControl(scope, control));
  }
  for (const file of ['status.css', 'parts.css', 'plots.css']) serve(app, `/${file}`, 'text/css', await read(file));
  for (const file of SCRIPTS) serve(app, `/${file}`, 'text/javascript', await read(file));
}

/** Adds the HTTP routes of the control panel. An error response contains a sentence for the user. */
function serveControl(app: FastifyInstance, { network, sources }: PageControl): void {
  requireOwnPage(app, sources);
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
