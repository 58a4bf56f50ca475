import { Dispatcher } from '../api/http/dispatch.js';
import { createHttpServer } from '../api/http/http-server.js';
/** The HTTP servers that a configuration switches on, not yet listening. */
export function createHttpServers({ api, remembered, config, log, now, gate, pool, }) {
    const { http, disabledApi, maxHttpConnectNumber } = config.node;
    const services = { api, remembered, startedMs: now(), gate, pool };
    const create = (server) => createHttpServer({
        dispatcher: new Dispatcher(server, services, disabledApi),
        connectionsMax: maxHttpConnectNumber,
        messageBytesMax: http.maxMessageSize ?? api.settings.release.bodyBytesMax,
        cors: config.tronicle.api.cors,
        gate,
        countsResponses: server === 'fullnode',
        log,
    });
    const servers = new Map();
    if (http.fullNodeEnable)
        servers.set('fullnode', create('fullnode'));
    if (http.solidityEnable)
        servers.set('solidity', create('solidity'));
    servers.set('pbft', create('pbft'));
    return servers;
}
/**
 * Serves HTTP on the ports of the configuration. A port that cannot be had is an error in the log; the others serve.
 */
export async function serveHttp(node) {
    const ports = portsOf(node);
    const servers = createHttpServers(node);
    for (const [name, server] of servers) {
        const port = ports[name];
        try {
            await server.listen({ port, host: '0.0.0.0' });
            node.log.info({ api: `http ${name}`, port }, 'serves');
        }
        catch (error) {
            node.log.error({ err: error, api: `http ${name}`, port }, 'cannot serve');
        }
    }
    return {
        close: async () => {
            for (const server of servers.values())
                await server.close();
        },
    };
}
/** Ports of the servers that are switched on. */
export function portsOf({ config }) {
    const { http } = config.node;
    return {
        ...(http.fullNodeEnable ? { fullnode: http.fullNodePort } : {}),
        ...(http.solidityEnable ? { solidity: http.solidityPort } : {}),
        pbft: http.pbftPort,
    };
}
//# sourceMappingURL=serve-http.js.map