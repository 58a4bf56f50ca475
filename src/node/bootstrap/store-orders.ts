import type { StoreOrder } from '../../java-tron-data/java-store.js';
import { compareMarketPriceKeys } from '../../projections/state/market-price-order.js';

/**
 * Orders of the reference's own, by store; named in the store's manifest.
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
