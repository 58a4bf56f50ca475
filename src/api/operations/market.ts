import {
  type MarketOrder,
  MarketOrderList,
  MarketOrderPair,
  MarketOrderPairList,
  MarketPrice,
  MarketPriceList,
} from '../../codec/generated/messages.js';
import { badItem, JavaError } from '../../java-compat/java-error.js';
import { toAddress } from '../../primitives/address.js';
import { EMPTY_BYTES, toHex } from '../../primitives/bytes.js';
import type { State } from '../../state-transition/state/state.js';
import { isNumberText } from '../../state-transition/system-contracts/byte-rules.js';
import { headKey, pairKey, priceOfKey } from '../../state-transition/system-contracts/market/market-keys.js';
import type { ChainView } from '../context/api-context.js';
import { listedView, listRows } from './listing.js';

/** Maximum number of prices, orders or pairs in a response. Reference: MARKET_COUNT_LIMIT_MAX. */
const COUNT_MAX = 1000;
const TOKEN_ID_HEX = 38;
const TRX_TOKEN = '5f';

/**
 * Returns the market order with an id; undefined for an empty id. Reference: Wallet.getMarketOrderById.
 * @throws {JavaError} no order has the id
 */
export function marketOrder({ state }: ChainView, id: Uint8Array): MarketOrder | undefined {
  if (id.length === 0) return undefined;
  return state.marketOrders.get(toHex(id)) ?? notFound();
}

/**
 * Returns the open orders of an account. Reference: Wallet.getMarketOrderByAccount.
 * @throws {JavaError} an order of the account is missing
 */
export function marketOrdersOfAccount({ state }: ChainView, address: Uint8Array): MarketOrderList | undefined {
  const row = address.length === 0 ? undefined : state.marketAccounts.get(toAddress(address));
  if (row === undefined) return undefined;
  const orders = row.orders.map((id) => alone(state.marketOrders.get(toHex(id)) ?? notFound()));
  return Object.assign(new MarketOrderList(), { orders });
}

/**
 * Returns the prices of a token pair, best price first. Reference: Wallet.getMarketPriceByPair.
 * @throws {JavaError} a token id is malformed
 */
export function marketPrices(view: ChainView, sell: Uint8Array, buy: Uint8Array): MarketPriceList {
  checkPair(sell, buy);
  const prices = priceKeys(view, sell, buy).map((key) => {
    const price = priceOfKey(key);
    return Object.assign(new MarketPrice(), { sellTokenQuantity: price.sell, buyTokenQuantity: price.buy });
  });
  return Object.assign(new MarketPriceList(), { sellTokenId: sell, buyTokenId: buy, prices });
}

/** Returns the token pairs that have orders. Reference: Wallet.getMarketPairList. */
export function marketPairs(view: ChainView): MarketOrderPairList {
  const orderPair: MarketOrderPair[] = [];
  for (const [key] of listRows(view, (state) => state.marketPairs)) {
    orderPair.push(
      Object.assign(new MarketOrderPair(), {
        sellTokenId: trimmed(key.slice(0, TOKEN_ID_HEX)),
        buyTokenId: trimmed(key.slice(TOKEN_ID_HEX, 2 * TOKEN_ID_HEX)),
      }),
    );
    if (orderPair.length > COUNT_MAX) break;
  }
  return Object.assign(new MarketOrderPairList(), { orderPair });
}

/**
 * Returns the orders of a token pair, best price first. Reference: Wallet.getMarketOrderListByPair.
 * @throws {JavaError} a token id is malformed
 */
export function marketOrdersOfPair(view: ChainView, sell: Uint8Array, buy: Uint8Array): MarketOrderList {
  checkPair(sell, buy);
  const orders: MarketOrder[] = [];
  for (const key of priceKeys(view, sell, buy)) {
    const limit = COUNT_MAX - orders.length;
    if (limit <= 0) break;
    orders.push(...ordersOfPrice(view.state, key, limit));
  }
  return Object.assign(new MarketOrderList(), { orders });
}

/**
 * Returns at most `limit` + 1 orders at one price. As java-tron does, checks the limit only after it has added an
 * order.
 */
function ordersOfPrice(state: State, key: string, limit: number): MarketOrder[] {
  const found: MarketOrder[] = [];
  let id = state.marketPriceToOrders.get(key)?.head ?? EMPTY_BYTES;
  while (id.length > 0 && found.length <= limit) {
    const order = state.marketOrders.get(toHex(id));
    if (order === undefined) break;
    found.push(alone(order));
    id = order.next;
  }
  return found;
}

function priceKeys(view: ChainView, sell: Uint8Array, buy: Uint8Array): string[] {
  const pair = pairKey(sell, buy);
  const count = Number(view.state.marketPairs.get(pair) ?? 0n);
  if (count === 0) return [];
  const head = headKey(sell, buy);
  const keys: string[] = [];
  for (const [key] of listedView(view).state.marketPriceToOrders.range(pair)) {
    if (key === head) continue;
    keys.push(key);
    if (keys.length >= Math.min(count, COUNT_MAX)) break;
  }
  return keys;
}

/** Checks the token ids of a pair. @throws {JavaError} BadItemException: a token id is malformed */
function checkPair(sell: Uint8Array, buy: Uint8Array): void {
  if (!isToken(sell)) badItem('sellTokenId is not a valid number');
  if (!isToken(buy)) badItem('buyTokenId is not a valid number');
}

function isToken(id: Uint8Array): boolean {
  return toHex(id) === TRX_TOKEN || isNumberText(id);
}

/**
 * Returns a copy of the order without the ids of the previous and the next order. Responses do not contain these ids.
 */
function alone(order: MarketOrder): MarketOrder {
  const copy = order.clone();
  copy.prev = EMPTY_BYTES;
  copy.next = EMPTY_BYTES;
  return copy;
}

function trimmed(hex: string): Uint8Array {
  const bytes = Buffer.from(hex, 'hex');
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

function notFound(): never {
  throw new JavaError('java.lang.IllegalStateException', 'order not found in store');
}
