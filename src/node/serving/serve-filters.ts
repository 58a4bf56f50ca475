import { FollowedFilters } from '../../api/jsonrpc/logs/followed-filters.js';
import type { ServedFilters, ServedNode } from './served-node.js';

/** Creates the filters of all JSON-RPC ports. They receive blocks from now on. */
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
