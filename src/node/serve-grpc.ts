import type { ViewName } from '../api/api-context.js';
import { GrpcServer } from '../api/grpc/grpc-server.js';
import type { GrpcServerName } from '../api/grpc/services.js';
import type { ServedNode } from './served-node.js';

const views: Readonly<Record<GrpcServerName, ViewName>> = { fullnode: 'head', solidity: 'solidified', pbft: 'pbft' };

/** Serves gRPC on the ports of the configuration. A port that cannot be had is an error in the log; the others serve. */
export async function serveGrpc({
  api,
  remembered,
  config,
  log,
  gate,
  pool,
}: ServedNode): Promise<{ close(): Promise<void> }> {
  const { rpc, disabledApi } = config.node;
  const ports: Readonly<Record<GrpcServerName, number>> = {
    fullnode: rpc.port,
    solidity: rpc.solidityPort,
    pbft: rpc.pbftPort,
  };
  const servers: GrpcServer[] = [];
  for (const name of ['fullnode', 'solidity', 'pbft'] as const) {
    const server = new GrpcServer({
      release: api.settings.release,
      server: name,
      call: () => ({ api, view: api.view(views[name]), remembered, gate }),
      disabled: disabledApi,
      limits: rpc,
      gate,
      pool,
      hasReflection: config.tronicle.api.reflection,
      log,
    });
    servers.push(server);
    try {
      const port = await server.listen(ports[name]);
      log.info({ api: `grpc ${name}`, port }, 'serves');
    } catch (error) {
      log.error({ err: error, api: `grpc ${name}`, port: ports[name] }, 'cannot serve');
    }
  }
  return {
    close: async () => {
      for (const server of servers) await server.close();
    },
  };
}
