import type { FastifyInstance, FastifyListenOptions } from 'fastify';
import type { ServedPath } from '../../api/http/served-path.js';
import { createHttpServer } from '../../api/http/server/http-server.js';
import type { IndexSource } from '../../api/indexes/index-pages.js';
import { rpcPath } from '../../api/jsonrpc/dispatch.js';
import { LogSearch } from '../../api/jsonrpc/logs/find-logs.js';
import { servedFeatures } from '../../api/jsonrpc/methods/features.js';
import { rpcMethods } from '../../api/jsonrpc/methods/methods.js';
import { timedMethods } from '../../api/jsonrpc/methods/timed-methods.js';
import { ChainEvents } from '../../api/jsonrpc/subscriptions/chain-events.js';
import { Subscriptions } from '../../api/jsonrpc/subscriptions/subscriptions.js';
import { serveWebSockets } from '../../api/jsonrpc/subscriptions/web-sockets.js';
import { type ServerName, serverViews } from '../../api/servers.js';
import type { NodeConfig } from '../../config/load-config.js';
import { decodeBase58Check } from '../../crypto/base58-check.js';
import { devnetAccounts } from '../devnet/devnet-accounts.js';
import { requestSources } from '../request-sources.js';
import { openPort } from './ports/open-port.js';
import { createFilters } from './serve-filters.js';
import type { ServedNode } from './served-node.js';

interface PortOfServer {
  readonly name: ServerName;
  readonly port: number;
  readonly isEnabled: boolean;
  /** Name of java-tron's class for the port. Rate limits in the configuration refer to this name. */
  readonly component: string;
}

interface RpcServers {
  readonly servers: ReadonlyMap<ServerName, FastifyInstance>;
  /** Path that the full node's HTTP port serves too, if `tronicle.api.onePort` is set; otherwise undefined. */
  readonly onHttpPort: ServedPath | undefined;
  close(): Promise<void>;
}

/** Maximum size of a WebSocket message in bytes, if `node.http.maxMessageSize` is not set. */
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;

/** Creates the enabled JSON-RPC servers. They do not listen yet, but their filters already receive blocks. */
export function createRpcServers(node: ServedNode): RpcServers {
  const { api, ledger, pool, projections, producers, config, log, gate, control } = node;
  const filters = node.filters ?? createFilters(node);
  const { onePort } = config.tronicle.api;
  const ports = portsOf(config).filter(({ name, isEnabled }) => isEnabled || (onePort && name === 'fullnode'));
  const logs = new LogSearch(api.settings.release, projections?.logs);
  const features = servedFeatures(config.tronicle.jsonrpc);
  const events = new ChainEvents(ledger, log);
  const servers = new Map<ServerName, FastifyInstance>();
  const sources = requestSources(config);
  let onHttpPort: ServedPath | undefined;
  for (const { name, component, isEnabled } of ports) {
    const shared = { api, features, producers, accounts: fundedAccounts(config), logs, pool, control };
    // Only the port of the full node uses the indexes, because the indexes also contain unsolidified blocks.
    const indexes = name === 'fullnode' ? indexSource(node) : undefined;
    const context = { ...shared, view: serverViews[name], filters: filters.of[name], indexes };
    const plain = rpcMethods(context);
    const methods = gate === undefined ? plain : timedMethods(plain, gate.metrics);
    const { maxHttpConnectNumber: connectionsMax, http, jsonrpc } = config.node;
    const form = { ...api.settings, identifiesCalls: features.ethereum };
    const path = rpcPath({ methods, form, component, sources });
    if (onePort && name === 'fullnode') onHttpPort = path;
    if (!isEnabled) continue;
    const messageBytesMax = jsonrpc.maxMessageSize ?? api.settings.release.bodyBytesMax ?? http.maxMessageSize;
    const server = createHttpServer({
      counted: `jsonrpc ${name}`,
      paths: [path],
      connectionsMax,
      messageBytesMax,
      sources,
      gate,
      countsResponses: name === 'fullnode',
      log,
    });
    servers.set(name, server.app);
    if (!features.subscriptions) continue;
    serveWebSockets(server, {
      methods,
      // java-tron has no WebSocket, and a WebSocket client finds the response to a call only by its id.
      form: { ...form, identifiesCalls: true },
      sources,
      subscriptions: new Subscriptions(context, events, server.budgets.filters),
      messageBytesMax: messageBytesMax ?? MESSAGE_BYTES_MAX,
      admit: (address) => gate?.admission.enter('http', component, address),
    });
  }
  return {
    servers,
    onHttpPort,
    close: async () => {
      filters.close();
      events.close();
      for (const server of servers.values()) await server.close();
    },
  };
}

/** Returns the indexes of the node; undefined if the node cannot have indexes. */
function indexSource({ api, projections, blocks }: ServedNode): IndexSource | undefined {
  const histories = projections?.histories;
  return histories && blocks && { api, histories, blocks };
}

/**
 * Serves JSON-RPC on the configured ports. If a port is not available, logs an error. Then continues with the other
 * servers, unless the release stops the node.
 * @throws {TronError} PORT_IN_USE: a port is not available, and `ApiRelease.stopsWithoutPort` is true
 */
export async function serveJsonRpc(node: ServedNode, made: RpcServers): Promise<{ close(): Promise<void> }> {
  for (const { name, port } of portsOf(node.config)) {
    const server = made.servers.get(name);
    if (server === undefined) continue;
    const listen = async (options: FastifyListenOptions): Promise<undefined> => void (await server.listen(options));
    await openPort(node, { api: `jsonrpc ${name}`, port, listen });
  }
  return made;
}

/** Returns the addresses of the funded accounts of a private network; an empty list on other networks. */
function fundedAccounts({ tronicle: { devnet } }: NodeConfig): readonly Uint8Array[] {
  if (!devnet.control) return [];
  return devnetAccounts(devnet).flatMap(({ address }) => decodeBase58Check(address) ?? []);
}

/** Returns the JSON-RPC ports. A solidity node has none. */
function portsOf({ isSolidityNode, node: { jsonrpc } }: NodeConfig): readonly PortOfServer[] {
  if (isSolidityNode) return [];
  return [
    {
      name: 'fullnode',
      port: jsonrpc.httpFullNodePort,
      isEnabled: jsonrpc.httpFullNodeEnable,
      component: 'JsonRpcServlet',
    },
    {
      name: 'solidity',
      port: jsonrpc.httpSolidityPort,
      isEnabled: jsonrpc.httpSolidityEnable,
      component: 'JsonRpcOnSolidityServlet',
    },
    {
      name: 'pbft',
      port: jsonrpc.httpPBFTPort,
      isEnabled: jsonrpc.httpPBFTEnable,
      component: 'JsonRpcOnPBFTServlet',
    },
  ];
}
