import type { NetworkControl } from '../../api/network-control.js';
import { openOperatorAbis } from '../../encoding/abi/operator-abis.js';
import type { Service, TronicleNode } from '../lifecycle/node.js';
import { requestSources } from '../request-sources.js';
import type { SinkControl } from '../sinks/sink-control.js';
import { createAdminServer } from './admin-server.js';
import { adminToken } from './admin-token.js';

/**
 * Starts the admin interface (`tronicle.admin`). If the port is not available, logs an error and the node runs without
 * the interface.
 */
export async function serveAdmin(
  { config, dataDir, log }: Pick<TronicleNode, 'config' | 'dataDir' | 'log'>,
  sinks: SinkControl,
  network?: NetworkControl,
): Promise<Service | undefined> {
  const { enable, address, port } = config.tronicle.admin;
  if (!enable) return undefined;
  const abis = { operatorAbis: openOperatorAbis({ dataDir, log }), addressPrefix: config.addressPrefix };
  const token = adminToken(config, dataDir);
  const server = createAdminServer({ sinks, network, abis, token, sources: requestSources(config), log });
  try {
    await server.listen({ host: address, port });
    log.info({ api: 'admin', address, port }, 'server listening');
  } catch (error) {
    log.error({ err: error, api: 'admin', address, port }, 'server not listening');
  }
  return { close: () => server.close() };
}
