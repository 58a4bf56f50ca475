import { type MarketOrder, MarketOrderIdList, MarketOrderState } from '../../../codec/generated/messages.js';
import { toAddress } from '../../../primitives/address.js';
import { EMPTY_BYTES, equalBytes, toHex } from '../../../primitives/bytes.js';
import type { State } from '../../state/state.js';
import type { AccountCopy } from '../accounts/account-copy.js';
import { headKey, pairKey, priceKey } from './market-keys.js';

/** Returns the row of an existing order for writing. */
export function orderToWrite(state: State, id: Uint8Array): MarketOrder {
  return state.marketOrders.existingToWrite(toHex(id));
}

/** Closes an order, and removes it from the owner's list of open orders. Reference: MarketUtils.updateOrderState. */
export function closeOrder(state: State, order: MarketOrder, orderState: number): void {
  order.state = orderState;
  if (orderState === MarketOrderState.ACTIVE) return;
  const account = state.marketAccounts.existingToWrite(toAddress(order.ownerAddress));
  const at = account.orders.findIndex((id) => equalBytes(id, order.orderId));
  if (at >= 0) account.orders.splice(at, 1);
  account.count -= 1n;
}

/**
 * Pays the unsold rest of an order back to the account. Reference: MarketUtils.returnSellTokenRemain.
 * @throws {ArithmeticError} the balance would exceed 64 bits
 */
export function returnRemainder(order: MarketOrder, account: AccountCopy): void {
  account.credit(order.sellTokenId, order.sellTokenQuantityRemain);
  order.sellTokenQuantityRemain = 0n;
}

/**
 * Appends an order to the list of its price. Creates the price and the pair if they are new.
 * Reference: saveRemainOrder.
 */
export function addToBook(state: State, order: MarketOrder): void {
  const key = priceKeyOf(order);
  let list = state.marketPriceToOrders.toWrite(key);
  if (list === undefined) {
    list = new MarketOrderIdList();
    countNewPrice(state, order);
    state.marketPriceToOrders.put(key, list);
  }
  if (list.head.length === 0) list.head = order.orderId;
  else {
    orderToWrite(state, list.tail).next = order.orderId;
    order.prev = list.tail;
  }
  list.tail = order.orderId;
}

/** Removes an order from the list of its price. Reference: MarketOrderIdListCapsule.removeOrder. */
export function unlink(state: State, list: MarketOrderIdList, order: MarketOrder): void {
  if (order.prev.length === 0) list.head = order.next;
  else orderToWrite(state, order.prev).next = order.next;
  if (order.next.length === 0) list.tail = order.prev;
  else orderToWrite(state, order.next).prev = order.prev;
  order.prev = EMPTY_BYTES;
  order.next = EMPTY_BYTES;
}

/** Deletes a price that has no orders. Also deletes the pair if it has no other price. */
export function dropPrice(state: State, { sellTokenId, buyTokenId }: MarketOrder, key: string): void {
  state.marketPriceToOrders.delete(key);
  const pair = pairKey(sellTokenId, buyTokenId);
  const left = (state.marketPairs.get(pair) ?? 0n) - 1n;
  if (left === 0n) state.marketPairs.delete(pair);
  else state.marketPairs.put(pair, left);
}

export function priceKeyOf({ sellTokenId, buyTokenId, sellTokenQuantity, buyTokenQuantity }: MarketOrder): string {
  return priceKey(sellTokenId, buyTokenId, { sell: sellTokenQuantity, buy: buyTokenQuantity });
}

/** Increments the number of prices of a pair. Reference: MarketPairToPriceStore.addNewPriceKey. */
function countNewPrice(state: State, { sellTokenId, buyTokenId }: MarketOrder): void {
  const pair = pairKey(sellTokenId, buyTokenId);
  const count = state.marketPairs.get(pair);
  if (count === undefined) state.marketPriceToOrders.put(headKey(sellTokenId, buyTokenId), new MarketOrderIdList());
  state.marketPairs.put(pair, (count ?? 0n) + 1n);
}
