import t from 'tap';
import { MarketOrderState } from '../../../../../src/codec/generated/messages.js';
import { present } from '../../../../../src/primitives/assert.js';
import { toHex } from '../../../../../src/primitives/bytes.js';
import {
  addToBook,
  closeOrder,
  dropPrice,
  orderToWrite,
  priceKeyOf,
  unlink,
} from '../../../../../src/state-transition/system-contracts/market/market-book.js';
import { headKey, pairKey } from '../../../../../src/state-transition/system-contracts/market/market-keys.js';
import { MAKER, market, offer, TOKEN, TRX } from '../../../../support/vm/market-chain.js';
import { addressOf } from '../../../../support/vm/state-with.js';

t.test('links orders of a price in both directions', async (t) => {
  const state = market();
  const first = orderToWrite(state, offer(state, 10n, 20n));
  const middle = orderToWrite(state, offer(state, 1n, 2n));
  const last = orderToWrite(state, offer(state, 5n, 10n));
  const key = priceKeyOf(first);
  const list = present(state.marketPriceToOrders.toWrite(key), 'an order creates its price');
  t.same([list.head, list.tail], [first.orderId, last.orderId]);
  unlink(state, list, middle);
  t.same(
    [orderToWrite(state, first.orderId).next, orderToWrite(state, last.orderId).prev],
    [last.orderId, first.orderId],
  );
  unlink(state, list, orderToWrite(state, first.orderId));
  unlink(state, list, orderToWrite(state, last.orderId));
  t.same([list.head.length, list.tail.length], [0, 0]);
  addToBook(state, middle);
  t.same([list.head, list.tail], [middle.orderId, middle.orderId]);
});

t.test('counts the prices of a pair after a sentinel row', async (t) => {
  const state = market();
  const pair = pairKey(TOKEN, TRX);
  const order = orderToWrite(state, offer(state, 1n, 2n));
  const other = orderToWrite(state, offer(state, 1n, 3n));
  t.equal(state.marketPairs.get(pair), 2n);
  t.ok(state.marketPriceToOrders.has(headKey(TOKEN, TRX)));
  dropPrice(state, order, priceKeyOf(order));
  t.equal(state.marketPairs.get(pair), 1n);
  dropPrice(state, other, priceKeyOf(other));
  t.notOk(state.marketPairs.has(pair));
});

t.test('removes a closed order from the open orders of its account', async (t) => {
  const state = market();
  const order = orderToWrite(state, offer(state, 1n, 2n));
  const kept = offer(state, 1n, 3n);
  closeOrder(state, order, MarketOrderState.ACTIVE);
  t.equal(state.marketAccounts.get(addressOf(MAKER))?.count, 2n);
  closeOrder(state, order, MarketOrderState.INACTIVE);
  const book = state.marketAccounts.get(addressOf(MAKER));
  t.same([book?.count, book?.totalCount, book?.orders.map(toHex)], [1n, 2n, [toHex(kept)]]);
});
