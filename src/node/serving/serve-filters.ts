import { FilterStore } from '../../api/jsonrpc/logs/filter-store.js';
import { byServer } from '../../api/servers.js';
import type { ServedFilters, ServedNode } from './served-node.js';

/** Creates the filters of all JSON-RPC ports. They receive blocks from now on. */
export function createFilters({
  api,
  blockUpdates,
  now,
}: Pick<ServedNode, 'api' | 'blockUpdates' | 'now'>): ServedFilters {
  const stores = byServer(() => new FilterStore(now, api.settings));
  const { reportsReapplied } = api.settings.release;
  const subscription = blockUpdates.subscribe(({ change, content }) => {
    if (change === 'applied' || (change === 'reapplied' && reportsReapplied)) stores.fullnode.offerBlock(content);
    if (change === 'reverted') stores.fullnode.offerLogs(content, true);
    if (change === 'solidified') stores.solidity.offerBlock(content);
  });
  return { of: stores, close: () => subscription.unsubscribe() };
}
