import type { ViewName } from '../api/api-context.js';
import { GrpcServer } from '../api/grpc/grpc-server.js';
import type { Reflection } from '../api/grpc/reflection.js';
import type { GrpcServerName } from '../api/grpc/services.js';
import type { ApiRelease } from '../api/releases/api-release.js';
import type { NodeConfig } from './config/load-config.js';
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
      reflection: reflectionOf(config, api.settings.release),
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

/** What the configuration switches on of what the release has. */
export function reflectionOf({ tronicle, node }: NodeConfig, { hasReflection }: ApiRelease): Reflection {
  if (tronicle.api.reflection) return 'both';
  return hasReflection && node.rpc.reflectionService ? 'v1alpha' : 'none';
}
