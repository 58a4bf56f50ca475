import pino from 'pino';
import { GrpcServer } from '../../../src/api/grpc/grpc-server.js';
import { type ServerName, serverViews } from '../../../src/api/servers.js';
import type { Chain } from '../../../src/chain/chain.js';
import type { NodeConfig } from '../../../src/config/load-config.js';
import { createMiddleware } from '../../../src/node/serving/create-gate.js';
import { grpcServersOf, limitsOf, reflectionOf } from '../../../src/node/serving/serve-grpc.js';
import { createHttpServers } from '../../../src/node/serving/serve-http.js';
import { createRpcServers } from '../../../src/node/serving/serve-jsonrpc.js';
import { servedLocally } from '../../../src/node/serving/served-node.js';
import type { Ports } from './question.js';

/**
 * Starts the API servers that the configuration of a chain enables, each on a free port.
 * @param votedHeight height that is confirmed by PBFT
 */
export async function serveOwn(
  chain: Chain,
  config: NodeConfig,
  votedHeight = (): number => 0,
): Promise<{ readonly ports: Ports; close(): Promise<void> }> {
  const log = pino({ level: 'error' });
  const served = servedLocally({ chain, config, log, now: Date.now, votedHeight });
  const node = { ...served, gate: createMiddleware(served) };
  const { release } = node.api.settings;
  const http = createHttpServers(node);
  const rpc = createRpcServers(node);
  const ports: Record<'http' | 'jsonrpc' | 'grpc', Record<string, number>> = { http: {}, jsonrpc: {}, grpc: {} };
  const grpc: GrpcServer[] = [];
  for (const name of http.keys()) ports.http[name] = await listen(http, name);
  for (const name of rpc.servers.keys()) ports.jsonrpc[name] = await listen(rpc.servers, name);
  for (const name of grpcServersOf(config, release)) {
    const server = new GrpcServer({
      release,
      server: name,
      call: () => ({
        api: node.api,
        view: node.api.view(serverViews[name]),
        remembered: node.remembered,
        gate: node.gate,
      }),
      disabled: config.node.disabledApi,
      limits: limitsOf(config.node.rpc, release),
      gate: node.gate,
      reflection: reflectionOf(config, release),
      alone: config.isSolidityNode ? { hasExtension: config.node.walletExtensionApi } : undefined,
      log,
    });
    ports.grpc[name] = await server.listen({ port: 0, host: '127.0.0.1' });
    grpc.push(server);
  }
  return {
    ports: ports as Ports,
    close: async () => {
      for (const server of http.values()) {
        server.server.closeAllConnections();
        await server.close();
      }
      for (const server of rpc.servers.values()) server.server.closeAllConnections();
      await rpc.close();
      for (const server of grpc) await server.close();
    },
  };
}

async function listen(servers: ReturnType<typeof createHttpServers>, name: ServerName): Promise<number> {
  const server = servers.get(name);
  if (server === undefined) throw new Error(`no server ${name}`);
  await server.listen({ port: 0, host: '127.0.0.1' });
  const address = server.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
