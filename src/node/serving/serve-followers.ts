import { FOLLOW_PROTOCOL, Followers } from '../../api/follow/followers.js';
import { type LinkHost, openLinkHost } from '../../p2p/links/libp2p-host.js';
import { chainRules } from '../chain-config.js';
import type { Service } from '../lifecycle/node.js';
import { hostKey } from '../peers/host-key.js';
import type { ServedNode } from './served-node.js';

/** Maximum number of connections of browser light clients, including connections without a request. */
const CONNECTIONS_MAX = 300;

interface FollowService extends Service {
  /**
   * Resolves with multiaddrs that contain the node's id, when the server listens. The list is empty if the server
   * cannot listen.
   */
  readonly addresses: Promise<readonly string[]>;
}

/**
 * Serves headers and solidified events to light clients in browsers (`tronicle.follow`). Loads js-libp2p in the
 * background. Logs an error if an address is not available.
 */
export function serveFollowers(node: ServedNode): FollowService | undefined {
  const { api, ledger, blocks, dataDir, config, log } = node;
  const { listen } = config.tronicle.follow;
  if (listen.length === 0 || dataDir === undefined) return undefined;
  const followers = new Followers({ ledger, rules: chainRules(config), api, ...(blocks && { blocks }), log });
  const opened = open(listen, dataDir, followers).then(
    (host) => {
      log.info({ api: 'follow', addresses: host.addresses }, 'server listening');
      return host;
    },
    (error: unknown) => {
      log.error({ err: error, api: 'follow', listen }, 'server not listening');
      return undefined;
    },
  );
  return {
    addresses: opened.then((host) => host?.addresses ?? []),
    close: async () => {
      await followers.close();
      await (await opened)?.close();
    },
  };
}

async function open(listen: readonly string[], dataDir: string, followers: Followers): Promise<LinkHost> {
  const host = await openLinkHost({ listen, key: await hostKey(dataDir), connectionsMax: CONNECTIONS_MAX });
  await host.serve(FOLLOW_PROTOCOL, (link) => followers.take(link));
  return host;
}
