import type { ApiRelease } from '../releases/api-release.js';
import type { ServerName } from '../servers.js';
import type { Route } from './route.js';
import { accountRoutes } from './routes/account-routes.js';
import { assetRoutes } from './routes/asset-routes.js';
import { blockRoutes } from './routes/block-routes.js';
import { buildRoutes } from './routes/build-routes.js';
import { chainRoutes, otherRoutes } from './routes/chain-routes.js';
import { shieldedRoutes } from './routes/shielded-routes.js';
import { stakeRoutes } from './routes/stake-routes.js';
import { transactionRoutes } from './routes/transaction-routes.js';

/** All handlers; one row is up to three paths. */
export const routes: readonly Route[] = [
  ...accountRoutes,
  ...assetRoutes,
  ...blockRoutes,
  ...buildRoutes,
  ...chainRoutes,
  ...shieldedRoutes,
  ...stakeRoutes,
  ...transactionRoutes,
];

const servers: Readonly<
  Record<ServerName, { readonly letter: string; readonly context: string; readonly suffix: string }>
> = {
  fullnode: { letter: 'F', context: '/wallet/', suffix: '' },
  solidity: { letter: 'S', context: '/walletsolidity/', suffix: 'OnSolidity' },
  pbft: { letter: 'P', context: '/walletpbft/', suffix: 'OnPBFT' },
};

export interface ServedRoute extends Route {
  readonly path: string;
  /** Name of the handler as limits and error pages show it. */
  readonly component: string;
  /** Whether its body may be a form, in releases that read forms. */
  readonly readsForms: boolean;
}

/** Handlers of a server by path. */
export function routesOf(
  server: ServerName,
  { hasLaterQueries }: Pick<ApiRelease, 'hasLaterQueries'>,
): ReadonlyMap<string, ServedRoute> {
  const { letter, context, suffix } = servers[server];
  const served = routes
    .filter((route) => ((hasLaterQueries ? route.laterServers : undefined) ?? route.servers).includes(letter))
    .map((route) => ({ ...route, path: context + route.name, component: `${route.family}${suffix}Servlet` }))
    .map((route) => ({ ...route, readsForms: route.ignoresForms !== true }));
  const others = otherRoutes.map((route) => ({
    ...route,
    component: `${route.family}Servlet`,
    readsForms: route.ignoresForms !== true,
  }));
  if (server === 'fullnode') served.push(...others);
  // The solidity server answers for the node under its usual path too.
  if (server === 'solidity') {
    served.push({ ...served.find(({ name }) => name === 'getnodeinfo')!, path: '/wallet/getnodeinfo' });
  }
  return new Map(served.map((route) => [route.path, route]));
}

/** Names of all handlers of a release, whichever servers are switched on, and that of JSON-RPC. */
export function handlerNames(release: ApiRelease): ReadonlySet<string> {
  const names = new Set(['JsonRpcServlet']);
  for (const server of Object.keys(servers) as ServerName[])
    for (const { component } of routesOf(server, release).values()) names.add(component);
  return names;
}
