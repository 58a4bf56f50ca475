import type { Logger } from 'pino';
import type { NodeConfig } from '../../config/load-config.js';
import { EncryptedLinks } from '../../p2p/links/encrypted-links.js';
import { openLinkHost } from '../../p2p/links/libp2p-host.js';
import type { Transport } from '../../p2p/transport/transport.js';
import { hostKey } from './host-key.js';

interface EncryptedLinksNeeds {
  readonly config: NodeConfig;
  readonly dataDir: string;
  readonly transport: Transport;
  readonly log: Logger;
}

/**
 * Starts encrypted links to other Tronicle nodes if `tronicle.libp2p` is configured.
 * @throws {Error} a listen address is not available
 */
export async function startEncryptedLinks(needs: EncryptedLinksNeeds): Promise<EncryptedLinks | undefined> {
  const { config, dataDir, transport, log } = needs;
  const { listen, peers } = config.tronicle.libp2p;
  if (listen.length === 0 && peers.length === 0) return undefined;
  const host = await openLinkHost({
    listen,
    key: await hostKey(dataDir),
    connectionsMax: config.node.maxConnections,
  });
  const links = new EncryptedLinks({ host, transport, peers, log });
  await links.start();
  log.info({ addresses: host.addresses }, 'listening for encrypted peer connections');
  return links;
}
