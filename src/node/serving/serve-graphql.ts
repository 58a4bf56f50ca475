import { serveFollowPage } from '../../api/follow/follow-page.js';
import { createGraphqlServer } from '../../api/graphql/graphql-server.js';
import { serveHealth } from '../../api/health/health-page.js';
import { requireOwnHost } from '../../api/http/server/own-host.js';
import { serveOpenApi } from '../../api/openapi/serve-openapi.js';
import { serveStatusPage } from '../../api/status-page/status-page.js';
import { chainRules } from '../chain-config.js';
import type { Service } from '../lifecycle/node.js';
import { requestSources } from '../request-sources.js';
import { listenOptions } from './ports/shared-ports.js';
import { createHttpServers, portsOf, servesV1 } from './serve-http.js';
import { addMetricsPath } from './serve-metrics.js';
import type { ServedNode } from './served-node.js';

/**
 * Serves GraphQL, GraphiQL and the status page (`tronicle.http`). If the port is not available, logs an error and the
 * node runs without them.
 * @param followed addresses for browser light clients; if undefined, the page of the light client is not served
 */
export async function serveGraphql(
  node: ServedNode,
  followed?: Promise<readonly string[]>,
): Promise<Service | undefined> {
  const { api, ledger, projections, blocks, metrics, config, log, abis } = node;
  const { enable, address, port } = config.tronicle.http;
  if (!enable) return undefined;
  const sources = requestSources(config);
  const server = await createGraphqlServer({
    ledger,
    rules: chainRules(config),
    api,
    abis,
    ...(blocks && { blocks }),
    ...(projections && { histories: projections.histories }),
    progress: {
      projections: () => projections?.progress() ?? [],
      sinks: () => metrics?.sinks() ?? [],
      replica: () => metrics?.replica(),
      storageProblem: () => metrics?.storageProblem(),
    },
    pool: node.pool,
    budgets: node.gate?.budgets,
    sources,
    log,
  });
  if (node.control !== undefined) requireOwnHost(server, sources);
  await serveStatusPage(server, node.control && { network: node.control, sources });
  if (followed !== undefined) await serveFollowPage(server, followed);
  addMetricsPath(server, node);
  if (node.notReady !== undefined) serveHealth(server, node.notReady);
  await serveOpenApi(server, {
    servers: createHttpServers(node),
    ports: portsOf(node),
    disabled: config.node.disabledApi,
    release: node.api.settings.release,
    hasV1: servesV1(node),
  });
  try {
    await server.listen(listenOptions({ port, host: address }, node.role?.ports));
    log.info({ api: 'graphql', address, port }, 'server listening');
  } catch (error) {
    log.error({ err: error, api: 'graphql', address, port }, 'server not listening');
  }
  return { close: () => server.close() };
}
