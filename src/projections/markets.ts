import { Exchange, MarketAccountOrder, MarketOrder, MarketOrderIdList } from '../codec/generated/messages.js';
import { int64Rows, messageRows } from './state/row-codecs.js';
import { stateProjection } from './state/state-projection.js';

/** Bancor exchanges and the order book of the market. */
export const markets = stateProjection({
  name: 'markets',
  version: 1,
  description: 'Exchanges between two TRC10 assets, and the orders of the market by account, pair and price.',
  stores: {
    exchange: messageRows(Exchange),
    'exchange-v2': messageRows(Exchange),
    market_account: messageRows(MarketAccountOrder),
    market_order: messageRows(MarketOrder),
    /** Orders by price. Iteration is in the price order of java-tron. */
    market_pair_price_to_order: messageRows(MarketOrderIdList),
    /** Number of price levels of a token pair. */
    market_pair_to_price: int64Rows,
  },
  read: (rows) => ({
    order: (id: Uint8Array) => rows.get('market_order', id),
  }),
});
