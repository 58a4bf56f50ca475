import { RememberedIds } from '../../api/operations/broadcast.js';
import type { Chain } from '../../chain/chain.js';
import type { NodeConfig } from '../../config/load-config.js';

/**
 * Creates the cache of transaction ids for broadcasts. If `node.rpc.trxCacheEnable` is set, the cache also receives the
 * ids of each applied block. Reference: Manager.updateTransHashCache.
 */
export function rememberIds(chain: Chain, { node }: NodeConfig): RememberedIds {
  const ids = new RememberedIds();
  if (node.rpc.trxCacheEnable) {
    chain.listeners.add({
      applied: ({ transactions }) => {
        for (const { idHex } of transactions) ids.store(idHex);
      },
    });
  }
  return ids;
}
