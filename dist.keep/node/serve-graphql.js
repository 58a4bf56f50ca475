import { createGraphqlServer } from '../api/graphql/graphql-server.js';
import { addCors } from '../api/http/cors.js';
import { serveOpenApi } from '../api/openapi/serve-openapi.js';
import { serveStatusPage } from '../api/status-page/status-page.js';
import { chainRules } from './chain-config.js';
import { createHttpServers, portsOf } from './serve-http.js';
import { addMetricsPath } from './serve-metrics.js';
/**
 * Serves GraphQL, GraphiQL and the status page (`tronicle.http`). A port that cannot be had is an error in the log; the node runs on
 * without them.
 */
export async function serveGraphql(node) {
    const { api, ledger, projections, metrics, config, log } = node;
    const { enable, address, port } = config.tronicle.http;
    if (!enable)
        return undefined;
    const server = await createGraphqlServer({
        ledger,
        rules: chainRules(config),
        api,
        ...(projections && { histories: projections.histories }),
        progress: {
            projections: () => projections?.progress() ?? [],
            sinks: () => metrics?.sinks() ?? [],
            replica: () => metrics?.replica(),
        },
        log,
    });
    addCors(server, config.tronicle.api.cors);
    await serveStatusPage(server);
    addMetricsPath(server, node);
    await serveOpenApi(server, {
        servers: createHttpServers(node),
        ports: portsOf(node),
        disabled: config.node.disabledApi,
        release: node.api.settings.release,
    });
    try {
        await server.listen({ host: address, port });
        log.info({ api: 'graphql', address, port }, 'serves');
    }
    catch (error) {
        log.error({ err: error, api: 'graphql', address, port }, 'cannot serve');
    }
    return { close: () => server.close() };
}
//# sourceMappingURL=serve-graphql.js.map