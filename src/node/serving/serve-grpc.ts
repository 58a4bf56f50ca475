import { type GrpcLimits, GrpcServer } from '../../api/grpc/grpc-server.js';
import type { Reflection } from '../../api/grpc/reflection/reflection.js';
import type { ApiRelease } from '../../api/releases/api-release.js';
import { type ServerName, serverNames, serverViews } from '../../api/servers.js';
import type { NodeConfig } from '../../config/load-config.js';
import { openPort } from './ports/open-port.js';
import type { ServedNode } from './served-node.js';

/**
 * Serves gRPC on the configured ports. If a port is not available, logs an error. Then continues with the other
 * servers, unless the release stops the node.
 * @throws {TronError} PORT_IN_USE: a port is not available, and `ApiRelease.stopsWithoutPort` is true
 */
export async function serveGrpc(node: ServedNode): Promise<{ close(): Promise<void> }> {
  const { api, remembered, config, log, gate, pool, notReady } = node;
  const { rpc, disabledApi, walletExtensionApi } = config.node;
  const { isSolidityNode } = config;
  const ports: Readonly<Record<ServerName, number>> = {
    fullnode: rpc.port,
    solidity: isSolidityNode ? rpc.port : rpc.solidityPort,
    pbft: rpc.pbftPort,
  };
  const servers: GrpcServer[] = [];
  for (const name of grpcServersOf(config, api.settings.release)) {
    const server = new GrpcServer({
      release: api.settings.release,
      server: name,
      call: () => ({ api, view: api.view(serverViews[name]), remembered, gate }),
      disabled: disabledApi,
      limits: limitsOf(rpc, api.settings.release),
      gate,
      pool,
      isReady: notReady && (() => notReady().length === 0),
      reflection: reflectionOf(config, api.settings.release),
      alone: isSolidityNode ? { hasExtension: walletExtensionApi } : undefined,
      log,
    });
    servers.push(server);
    await openPort(node, { api: `grpc ${name}`, port: ports[name], listen: (options) => server.listen(options) });
  }
  return {
    close: async () => {
      for (const server of servers) await server.close();
    },
  };
}

type RpcConfig = NodeConfig['node']['rpc'];

/**
 * Returns the enabled servers. Releases without `ApiRelease.switchesPorts` start all servers. A solidity node has only
 * the server `solidity`, which listens on the port that other nodes use for the server `fullnode`.
 */
export function grpcServersOf(
  { isSolidityNode, node: { rpc } }: NodeConfig,
  { switchesPorts }: ApiRelease,
): readonly ServerName[] {
  if (isSolidityNode) return rpc.enable || !switchesPorts ? ['solidity'] : [];
  const isOn: Readonly<Record<ServerName, boolean>> = {
    fullnode: rpc.enable,
    solidity: rpc.solidityEnable,
    pbft: rpc.pbftEnable,
  };
  return serverNames.filter((name) => isOn[name] || !switchesPorts);
}

/**
 * Returns the configured limits of gRPC. If `ApiRelease.switchesPorts` is true, the value 0 means no limit. Reference:
 * NodeConfig.postProcess, RpcService.
 */
export function limitsOf(rpc: RpcConfig, { switchesPorts }: ApiRelease): GrpcLimits {
  if (!switchesPorts) return rpc;
  const unless0 = (value: number): number => (value === 0 ? Number.MAX_SAFE_INTEGER : value);
  const { maxRstStream, secondsPerWindow } = rpc;
  return {
    ...rpc,
    maxConcurrentCallsPerConnection: unless0(rpc.maxConcurrentCallsPerConnection),
    maxConnectionIdleInMillis: unless0(rpc.maxConnectionIdleInMillis),
    maxConnectionAgeInMillis: unless0(rpc.maxConnectionAgeInMillis),
    resets:
      maxRstStream > 0 && secondsPerWindow > 0 ? { max: maxRstStream, windowMs: secondsPerWindow * 1000 } : undefined,
  };
}

/** Returns the enabled reflection services. */
export function reflectionOf({ tronicle, node }: NodeConfig, { hasReflection }: ApiRelease): Reflection {
  if (tronicle.api.reflection) return 'both';
  return hasReflection && node.rpc.reflectionService ? 'v1alpha' : 'none';
}
