import type { FastifyInstance } from 'fastify';
import type { ViewName } from '../api/api-context.js';
import { createHttpServer } from '../api/http/http-server.js';
import { RpcDispatcher } from '../api/jsonrpc/dispatch.js';
import { FilterStore } from '../api/jsonrpc/filter-store.js';
import { contentOf, rpcMethods } from '../api/jsonrpc/methods.js';
import type { TransactionRet } from '../log/codec/generated/messages.js';
import type { DecodedBlock } from '../vm/block/decoded-block.js';
import { createApiContext } from './api-context.js';
import type { ServedNode } from './serve-http.js';

/** Servers by the state that they answer from. */
export type RpcServerName = 'fullnode' | 'solidity' | 'pbft';

interface PortOfServer {
  readonly name: RpcServerName;
  readonly view: ViewName;
  readonly port: number;
  readonly isEnabled: boolean;
  /** Class that error pages name. */
  readonly component: string;
}

export interface RpcServers {
  readonly servers: ReadonlyMap<RpcServerName, FastifyInstance>;
  close(): Promise<void>;
}

/** The JSON-RPC servers that a configuration switches on, not yet listening. Filters hear of blocks from now on. */
export function createRpcServers(node: ServedNode, producers: readonly Uint8Array[] = []): RpcServers {
  const { chain, config, log, now } = node;
  const api = createApiContext({ chain, config, now });
  const filters = { fullnode: new FilterStore(now), solidity: new FilterStore(now), pbft: new FilterStore(now) };
  const listener = filterListener(node, filters);
  chain.listeners.add(listener);
  const servers = new Map<RpcServerName, FastifyInstance>();
  for (const { name, view, component, isEnabled } of portsOf(node)) {
    if (!isEnabled) continue;
    const methods = rpcMethods({ api, view, filters: filters[name], producers });
    const dispatcher = new RpcDispatcher(methods, component);
    const { maxHttpConnectNumber: connectionsMax, http } = config.node;
    servers.set(name, createHttpServer({ dispatcher, connectionsMax, messageBytesMax: http.maxMessageSize, log }));
  }
  return {
    servers,
    close: async () => {
      chain.listeners.delete(listener);
      for (const server of servers.values()) {
        server.server.closeAllConnections();
        await server.close();
      }
    },
  };
}

/** Serves JSON-RPC on the ports of the configuration. A port that cannot be had is an error in the log; the others serve. */
export async function serveJsonRpc(
  node: ServedNode,
  producers: readonly Uint8Array[],
): Promise<{ close(): Promise<void> }> {
  const made = createRpcServers(node, producers);
  for (const { name, port } of portsOf(node)) {
    const server = made.servers.get(name);
    if (server === undefined) continue;
    try {
      await server.listen({ port, host: '0.0.0.0' });
      node.log.info({ api: `jsonrpc ${name}`, port }, 'serves');
    } catch (error) {
      node.log.error({ err: error, api: `jsonrpc ${name}`, port }, 'cannot serve');
    }
  }
  return made;
}

function portsOf({ config }: ServedNode): readonly PortOfServer[] {
  const { jsonrpc } = config.node;
  const services = 'org.tron.core.services';
  return [
    {
      name: 'fullnode',
      view: 'head',
      port: jsonrpc.httpFullNodePort,
      isEnabled: jsonrpc.httpFullNodeEnable,
      component: `${services}.jsonrpc.JsonRpcServlet`,
    },
    {
      name: 'solidity',
      view: 'solidified',
      port: jsonrpc.httpSolidityPort,
      isEnabled: jsonrpc.httpSolidityEnable,
      component: `${services}.interfaceJsonRpcOnSolidity.JsonRpcOnSolidityServlet`,
    },
    {
      name: 'pbft',
      view: 'pbft',
      port: jsonrpc.httpPBFTPort,
      isEnabled: jsonrpc.httpPBFTEnable,
      component: `${services}.interfaceJsonRpcOnPBFT.JsonRpcOnPBFTServlet`,
    },
  ];
}

/**
 * Tells filters of new and of undone blocks. Blocks that a fork switch applies are not told, as the reference does not tell
 * them: only the logs of those that it took back.
 */
function filterListener({ chain }: ServedNode, filters: Readonly<Record<RpcServerName, FilterStore>>) {
  let solidified = chain.solidifiedNumber;
  return {
    applied: (block: DecodedBlock, { transactioninfo: infos }: TransactionRet) => {
      if (!chain.isSwitching) filters.fullnode.offerBlock({ block, infos });
      while (solidified < chain.solidifiedNumber) {
        const stored = chain.ledger.block(++solidified);
        if (stored !== undefined) filters.solidity.offerBlock(contentOf(chain.ledger, solidified));
      }
    },
    reverted: (block: DecodedBlock) => {
      const undone = chain.ledger.entryOfId(block.id);
      if (undone !== undefined) filters.fullnode.offerLogs(contentOf({ block: () => undone }, block.number), true);
    },
  };
}
