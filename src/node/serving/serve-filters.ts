import { FilterStore } from '../../api/jsonrpc/logs/filter-store.js';
import { byServer, type ServerName } from '../../api/servers.js';
import type { ServedNode } from './served-node.js';

interface OwnFilters {
  readonly stores: Readonly<Record<ServerName, FilterStore>>;
  close(): void;
}

/** Creates the filters of all JSON-RPC ports. They receive blocks from now on. */
export function createFilters({
  api,
  blockUpdates,
  now,
}: Pick<ServedNode, 'api' | 'blockUpdates' | 'now'>): OwnFilters {
  const stores = byServer(() => new FilterStore(now, api.settings));
  const { reportsReapplied } = api.settings.release;
  const subscription = blockUpdates.subscribe(({ change, content }) => {
    if (change === 'applied' || (change === 'reapplied' && reportsReapplied)) stores.fullnode.offerBlock(content);
    if (change === 'reverted') stores.fullnode.offerLogs(content, true);
    if (change === 'solidified') stores.solidity.offerBlock(content);
  });
  return { stores, close: () => subscription.unsubscribe() };
}
