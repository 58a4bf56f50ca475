import { compareMarketPriceKeys } from '../../projections/market-price-order.js';
/** Orders of the reference's own, by store; named in the store's manifest. Reference: MarketOrderPriceComparatorForLevelDB. */
export const storeOrders = new Map([
    [
        'market_pair_price_to_order',
        {
            comparator: 'MarketOrderPriceComparator',
            compare: (a, aBytes, b, bBytes) => compareMarketPriceKeys(a.subarray(0, aBytes), b.subarray(0, bBytes)),
        },
    ],
]);
//# sourceMappingURL=store-orders.js.map