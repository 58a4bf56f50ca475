import { accountEndpoints } from '../endpoints/account-endpoints.js';
import { assetEndpoints } from '../endpoints/asset-endpoints.js';
import { blockEndpoints } from '../endpoints/block-endpoints.js';
import { buildEndpoints } from '../endpoints/build-endpoints.js';
import { chainEndpoints } from '../endpoints/chain-endpoints.js';
import type { HttpEndpoint } from '../endpoints/endpoint-definition.js';
import { shieldedEndpoints } from '../endpoints/shielded-endpoints.js';
import { stakeEndpoints } from '../endpoints/stake-endpoints.js';
import { transactionEndpoints } from '../endpoints/transaction-endpoints.js';
import type { ApiRelease } from '../releases/api-release.js';
import { httpContexts, type ServerName, serverNames } from '../servers.js';
import type { HandlersOf, Route } from './route.js';
import { accountHandlers } from './routes/account-routes.js';
import { assetHandlers } from './routes/asset-routes.js';
import { blockHandlers } from './routes/block-routes.js';
import { builderRoutes, buildHandlers } from './routes/build-routes.js';
import { chainHandlers } from './routes/chain-routes.js';
import { shieldedHandlers } from './routes/shielded-routes.js';
import { stakeHandlers } from './routes/stake-routes.js';
import { transactionHandlers } from './routes/transaction-routes.js';

/**
 * All HTTP operations. An operation has a path on each server that serves it. Some operations have an additional path
 * (`outside`).
 */
const routes: readonly Route[] = [
  ...handled(accountEndpoints, accountHandlers),
  ...handled(assetEndpoints, assetHandlers),
  ...handled(blockEndpoints, blockHandlers),
  ...builderRoutes(),
  ...handled(buildEndpoints, buildHandlers),
  ...handled(chainEndpoints, chainHandlers),
  ...handled(shieldedEndpoints, shieldedHandlers),
  ...handled(stakeEndpoints, stakeHandlers),
  ...handled(transactionEndpoints, transactionHandlers),
];

function handled<Family extends string>(
  rows: Readonly<Record<Family, HttpEndpoint>>,
  handlers: HandlersOf<typeof rows>,
): Route[] {
  const routes: Route[] = [];
  for (const family in rows) routes.push({ ...rows[family], ...handlers[family], family });
  return routes;
}

/** Suffix of java-tron's handler names, by server. */
const suffixes: Readonly<Record<ServerName, string>> = { fullnode: '', solidity: 'OnSolidity', pbft: 'OnPBFT' };

export interface ServedRoute extends Route {
  readonly path: string;
  /** Name of the handler in rate limits and on error pages. */
  readonly component: string;
  /** True if the body may be a form. Only some releases read forms. */
  readonly readsForms: boolean;
  /** True if errors are sent as text, not as JSON. */
  readonly hasBareErrors: boolean;
}

/**
 * Handlers for which java-tron's solidity node has separate classes. The names of these classes differ from those of
 * a full node. Reference: SolidityNodeHttpApiService
 */
const ownAlone: ReadonlySet<string> = new Set(['GetTransactionById', 'GetTransactionInfoById']);

/**
 * Returns the handlers of a server, by path.
 * @param isAlone true on a solidity node, which has only the server `solidity`
 */
export function routesOf(
  server: ServerName,
  { hasLaterQueries }: Pick<ApiRelease, 'hasLaterQueries'>,
  isAlone = false,
): ReadonlyMap<string, ServedRoute> {
  const suffixOf = ({ family }: Route): string => {
    if (!isAlone) return suffixes[server];
    return ownAlone.has(family) ? 'Solidity' : '';
  };
  const servedAt = (path: string, route: Route): ServedRoute => ({
    ...route,
    path,
    component: `${route.family}${suffixOf(route)}Servlet`,
    readsForms: route.ignoresForms !== true,
    hasBareErrors: isAlone && ownAlone.has(route.family),
  });
  const served = routes
    .filter((route) => ((hasLaterQueries ? route.laterServers : undefined) ?? route.servers).includes(server))
    .filter(({ isLateAlone }) => !isAlone || hasLaterQueries || isLateAlone !== true)
    .map((route) => servedAt(httpContexts[server] + route.name, route));
  for (const route of routes) {
    const outside = route.outside?.[server];
    if (outside !== undefined) served.push(servedAt(outside, route));
  }
  return new Map(served.map((route) => [route.path, route]));
}

/** Returns the names of all handlers of a release. Includes the handlers of JSON-RPC and of disabled servers. */
export function handlerNames(release: ApiRelease): ReadonlySet<string> {
  const names = new Set(serverNames.map((server) => `JsonRpc${suffixes[server]}Servlet`));
  for (const server of serverNames)
    for (const { component } of routesOf(server, release).values()) names.add(component);
  for (const { component } of routesOf('solidity', release, true).values()) names.add(component);
  return names;
}
