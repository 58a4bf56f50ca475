import type { StoreOrder } from '../../java-tron-data/java-store.js';
import { compareMarketPriceKeys } from '../../projections/state/market-price-order.js';

/**
 * Key orders that java-tron defines itself, by store. The store's manifest contains the comparator name.
 * Reference: MarketOrderPriceComparatorForLevelDB.
 */
export const storeOrders: ReadonlyMap<string, StoreOrder> = new Map([
  [
    'market_pair_price_to_order',
    {
      comparator: 'MarketOrderPriceComparator',
      compare: (a, aBytes, b, bBytes) => compareMarketPriceKeys(a.subarray(0, aBytes), b.subarray(0, bBytes)),
    },
  ],
]);
