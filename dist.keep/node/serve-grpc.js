import { GrpcServer } from '../api/grpc/grpc-server.js';
const views = { fullnode: 'head', solidity: 'solidified', pbft: 'pbft' };
/** Serves gRPC on the ports of the configuration. A port that cannot be had is an error in the log; the others serve. */
export async function serveGrpc({ api, remembered, config, log, gate, pool, }) {
    const { rpc, disabledApi } = config.node;
    const ports = {
        fullnode: rpc.port,
        solidity: rpc.solidityPort,
        pbft: rpc.pbftPort,
    };
    const servers = [];
    for (const name of ['fullnode', 'solidity', 'pbft']) {
        const server = new GrpcServer({
            release: api.settings.release,
            server: name,
            call: () => ({ api, view: api.view(views[name]), remembered, gate }),
            disabled: disabledApi,
            limits: rpc,
            gate,
            pool,
            reflection: reflectionOf(config, api.settings.release),
            log,
        });
        servers.push(server);
        try {
            const port = await server.listen(ports[name]);
            log.info({ api: `grpc ${name}`, port }, 'serves');
        }
        catch (error) {
            log.error({ err: error, api: `grpc ${name}`, port: ports[name] }, 'cannot serve');
        }
    }
    return {
        close: async () => {
            for (const server of servers)
                await server.close();
        },
    };
}
/** What the configuration switches on of what the release has. */
export function reflectionOf({ tronicle, node }, { hasReflection }) {
    if (tronicle.api.reflection)
        return 'both';
    return hasReflection && node.rpc.reflectionService ? 'v1alpha' : 'none';
}
//# sourceMappingURL=serve-grpc.js.map