import {
  type MarketOrder,
  MarketOrderDetail,
  MarketOrderState,
  type TransactionResult,
} from '../../../codec/generated/messages.js';
import { toAddress } from '../../../primitives/address.js';
import { addExact, min64 } from '../../../primitives/int64.js';
import { ContractExeError } from '../../errors.js';
import type { State } from '../../state/state.js';
import type { AccountCopy } from '../accounts/account-copy.js';
import { addAsset } from '../assets/asset-balance.js';
import { isTrx } from '../exchange/exchange-pool.js';
import { closeOrder, dropPrice, orderToWrite, returnRemainder, unlink } from './market-book.js';
import { headKey, mulDiv, type Price, pairKey, priceOfKey, pricesMatch } from './market-keys.js';

/** Maximum number of matches of a new order. Reference: MarketSellAssetActuator.MAX_MATCH_NUM. */
const MATCHES_MAX = 20;

/** A new order with its account and receipt. */
interface Taker {
  readonly order: MarketOrder;
  readonly account: AccountCopy;
  readonly result: TransactionResult;
}

/**
 * Matches a new order with orders of the opposite pair while the prices match. Starts with the lowest price, and
 * within a price with the oldest order. Reference: MarketSellAssetActuator.matchOrder
 * @throws {ContractExeError} the new order needs more than 20 matches
 * @throws {ArithmeticError} a balance would exceed 64 bits
 */
export function matchOrder(state: State, taker: Taker): void {
  const { order } = taker;
  const price: Price = { sell: order.sellTokenQuantity, buy: order.buyTokenQuantity };
  let matches = 0;
  for (const key of lowestPrices(state, order)) {
    if (order.sellTokenQuantityRemain === 0n || !pricesMatch(price, priceOfKey(key))) return;
    const list = state.marketPriceToOrders.existingToWrite(key);
    let maker: MarketOrder | undefined;
    while (order.sellTokenQuantityRemain !== 0n && list.head.length > 0) {
      maker = orderToWrite(state, list.head);
      matchOne(state, taker, maker);
      if (maker.sellTokenQuantityRemain === 0n) unlink(state, list, maker);
      if (++matches > MATCHES_MAX) throw new ContractExeError(`Too many matches. MAX_MATCH_NUM = ${MATCHES_MAX}`);
    }
    if (list.head.length === 0 && maker !== undefined) dropPrice(state, maker, key);
  }
}

/**
 * Returns the price keys of the opposite pair, lowest price first, at most MATCHES_MAX + 1 keys. Reference:
 * getPriceKeysList.
 */
function lowestPrices(state: State, { sellTokenId, buyTokenId }: MarketOrder): string[] {
  const pair = pairKey(buyTokenId, sellTokenId);
  if ((state.marketPairs.get(pair) ?? 0n) === 0n) return [];
  const head = headKey(buyTokenId, sellTokenId);
  const keys: string[] = [];
  for (const [key] of state.marketPriceToOrders.range(pair)) {
    if (key !== head) keys.push(key);
    if (keys.length > MATCHES_MAX) break;
  }
  return keys;
}

/** Matches the taker's order with one maker's order. Reference: MarketSellAssetActuator.matchSingleOrder. */
function matchOne(state: State, taker: Taker, maker: MarketOrder): void {
  const { order } = taker;
  const receivable = mulDiv(order.sellTokenQuantityRemain, maker.sellTokenQuantity, maker.buyTokenQuantity);
  if (receivable === 0n) {
    // The unsold rest of the taker's order buys nothing at this price, so the rest is returned to the account.
    order.sellTokenQuantityReturn = order.sellTokenQuantityRemain;
    returnRemainder(order, taker.account);
    closeOrder(state, order, MarketOrderState.INACTIVE);
    return;
  }
  const offered = maker.sellTokenQuantityRemain;
  let paid: bigint;
  if (receivable < offered) {
    paid = order.sellTokenQuantityRemain;
    order.sellTokenQuantityRemain = 0n;
    closeOrder(state, order, MarketOrderState.INACTIVE);
    maker.sellTokenQuantityRemain = offered - receivable;
  } else {
    paid = mulDiv(offered, maker.buyTokenQuantity, maker.sellTokenQuantity);
    if (receivable > offered && paid === 0n) {
      closeOrder(state, maker, MarketOrderState.INACTIVE);
      returnRemaining(state, maker);
      return;
    }
    order.sellTokenQuantityRemain -= paid;
    maker.sellTokenQuantityRemain = 0n;
    if (receivable === offered && order.sellTokenQuantityRemain === 0n)
      closeOrder(state, order, MarketOrderState.INACTIVE);
    closeOrder(state, maker, MarketOrderState.INACTIVE);
  }
  const bought = min64(receivable, offered);
  taker.account.credit(order.buyTokenId, bought);
  credit(state, maker.ownerAddress, maker.buyTokenId, paid);
  taker.result.orderDetails.push(
    Object.assign(new MarketOrderDetail(), {
      makerOrderId: maker.orderId,
      takerOrderId: order.orderId,
      fillSellQuantity: paid,
      fillBuyQuantity: bought,
    }),
  );
}

/**
 * Pays the unsold rest of a maker's order back to the maker's account, because the rest is too small to buy anything.
 */
function returnRemaining(state: State, maker: MarketOrder): void {
  maker.sellTokenQuantityReturn = maker.sellTokenQuantityRemain;
  credit(state, maker.ownerAddress, maker.sellTokenId, maker.sellTokenQuantityRemain);
  maker.sellTokenQuantityRemain = 0n;
}

/** Adds a token amount to an account. @throws {ArithmeticError} the balance would exceed 64 bits */
function credit(state: State, owner: Uint8Array, token: Uint8Array, amount: bigint): void {
  const address = toAddress(owner);
  const account = state.existingAccountToWrite(address);
  if (isTrx(token)) account.balance = addExact(account.balance, amount);
  else addAsset(state, address, account, token, amount);
  state.saveAccount(address, account);
}
