import { FollowedFilters } from '../../api/jsonrpc/logs/followed-filters.js';
import type { ServedFilters, ServedNode } from './served-node.js';

/** Creates the event filters of all JSON-RPC ports. They receive the blocks that are applied after this call. */
export function createFilters({
  api: { settings },
  ledger,
  config,
  now,
  log,
}: Pick<ServedNode, 'api' | 'ledger' | 'config' | 'now' | 'log'>): ServedFilters {
  return new FollowedFilters({
    ledger,
    form: settings,
    isControlled: config.tronicle.devnet.control,
    now,
    log,
  });
}
