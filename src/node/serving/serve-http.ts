import type { FastifyInstance, FastifyListenOptions } from 'fastify';
import { BlockReader } from '../../api/context/read-block.js';
import { Dispatcher } from '../../api/http/dispatch.js';
import type { ServedPath } from '../../api/http/served-path.js';
import { createHttpServer } from '../../api/http/server/http-server.js';
import type { ApiRelease } from '../../api/releases/api-release.js';
import type { ServerName } from '../../api/servers.js';
import { servedV1Paths } from '../../api/v1/v1-routes.js';
import { createV1Source } from '../../api/v1/v1-source.js';
import { present } from '../../primitives/assert.js';
import { accountsJson } from '../devnet/devnet-accounts.js';
import { requestSources } from '../request-sources.js';
import { onePortPaths } from './ports/one-port.js';
import { openPort } from './ports/open-port.js';
import type { ServedNode } from './served-node.js';

/**
 * Creates the enabled HTTP servers. They do not listen yet.
 * @param rpc path of JSON-RPC that the full node's port also serves, if `tronicle.api.onePort` is set
 */
export function createHttpServers(node: ServedNode, rpc?: ServedPath): ReadonlyMap<ServerName, FastifyInstance> {
  const { api, remembered, config, log, now, gate, pool } = node;
  const { http, disabledApi, maxHttpConnectNumber } = config.node;
  const services = { api, remembered, startedMs: now(), gate, pool };
  const pathsOf = (server: ServerName): readonly ServedPath[] => {
    const { paths } = new Dispatcher(server, services, disabledApi);
    if (server !== 'fullnode') return paths;
    const own = [...paths, ...historyPaths(node)];
    if (rpc === undefined) return own;
    const { devnet } = config.tronicle;
    const accounts = devnet.control ? accountsJson(devnet) : undefined;
    return onePortPaths({ own, solidity: pathsOf('solidity'), rpc, accounts });
  };
  const create = (server: ServerName): FastifyInstance =>
    createHttpServer({
      counted: `http ${server}`,
      paths: pathsOf(server),
      connectionsMax: maxHttpConnectNumber,
      messageBytesMax: http.maxMessageSize ?? api.settings.release.bodyBytesMax,
      sources: requestSources(config),
      gate,
      countsResponses: server === 'fullnode',
      log,
    }).app;
  const names = Object.keys(portsOf(node)) as ServerName[];
  return new Map(names.map((name) => [name, create(name)]));
}

/** Returns the paths of `/v1`. They are on the port of `/wallet`, because clients configure one address for both. */
function historyPaths(node: ServedNode): readonly ServedPath[] {
  const { api, ledger, projections, blocks = new BlockReader(ledger), pool, abis } = node;
  if (!servesV1(node) || projections === undefined) return [];
  return servedV1Paths(createV1Source({ api, ledger, histories: projections.histories, blocks, pool, abis }));
}

/** Returns true if the full node's port serves `/v1`. */
export function servesV1({ config, projections }: Pick<ServedNode, 'config' | 'projections'>): boolean {
  return config.tronicle.v1.enable && projections !== undefined;
}

/**
 * Serves HTTP on the configured ports. If a port is not available, logs an error. Then continues with the other
 * servers, unless the release stops the node.
 * @throws {TronError} PORT_IN_USE: a port is not available, and `ApiRelease.stopsWithoutPort` is true
 */
export async function serveHttp(node: ServedNode, rpc?: ServedPath): Promise<{ close(): Promise<void> }> {
  const ports = portsOf(node);
  const servers = createHttpServers(node, rpc);
  for (const [name, server] of servers) {
    const port = present(ports[name], 'every server has its port');
    const listen = async (options: FastifyListenOptions): Promise<undefined> => void (await server.listen(options));
    await openPort(node, { api: `http ${name}`, port, listen });
  }
  return {
    close: async () => {
      for (const server of servers.values()) await server.close();
    },
  };
}

/** Returns the ports of the enabled servers, by server name. */
export function portsOf({ config, api }: PortOptions): Readonly<Partial<Record<ServerName, number>>> {
  const { http } = config.node;
  const solidity = http.solidityEnable ? { solidity: http.solidityPort } : {};
  if (config.isSolidityNode) return solidity;
  return {
    ...(http.fullNodeEnable ? { fullnode: http.fullNodePort } : {}),
    ...solidity,
    ...(isPbftServed(config, api.settings.release) ? { pbft: http.pbftPort } : {}),
  };
}

type PortOptions = Pick<ServedNode, 'config' | 'api'>;

function isPbftServed({ node: { http } }: ServedNode['config'], { switchesPorts }: ApiRelease): boolean {
  return http.pbftEnable || !switchesPorts;
}
