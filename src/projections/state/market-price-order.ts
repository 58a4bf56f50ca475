import { compareBytes } from '../../primitives/bytes.js';
import { MARKET_PAIR_PRICE_TO_ORDER, type StoreId } from './stores.js';

/**
 * Size in bytes of the two token ids at the start of a key: 19 bytes each. In the key, two quantities of 8 bytes
 * follow. Reference: MarketUtils.TOKEN_ID_LENGTH.
 */
export const PAIR_KEY_BYTES = 38;
const PRICE_KEY_BYTES = PAIR_KEY_BYTES + 16;
const ORDER_BYTES = 24;
/**
 * Number of fraction bits of a fixed-point price. Two different fractions of 63-bit numbers differ by more than 2^-126,
 * so their fixed-point forms differ too and have the same order.
 */
const SCALE_BITS = 127n;

/**
 * Compares keys of `market_pair_price_to_order`: first the pair, then the price (buy quantity / sell quantity). A key
 * with a quantity of 0 precedes all prices of its pair. Reference: MarketUtils.comparePriceKey.
 */
export function compareMarketPriceKeys(a: Uint8Array, b: Uint8Array): number {
  const pair = compareBytes(a.subarray(0, PAIR_KEY_BYTES), b.subarray(0, PAIR_KEY_BYTES));
  if (pair !== 0) return pair;
  const left = priceOf(a);
  const right = priceOf(b);
  if (left === undefined || right === undefined) return Number(left !== undefined) - Number(right !== undefined);
  const difference = left.buy * right.sell - right.buy * left.sell;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Returns the key order in which java-tron iterates over a store. */
export function keyOrder(store: StoreId): (a: Uint8Array, b: Uint8Array) => number {
  return store === MARKET_PAIR_PRICE_TO_ORDER ? compareStoredMarketKeys : compareBytes;
}

/**
 * Returns bytes that sort like {@link compareMarketPriceKeys}: pair, fixed-point price, quantities. These bytes are the
 * LMDB key, so a range read needs no second index. Returns a key of another length unchanged; java-tron writes no such
 * keys.
 */
export function toPriceOrderedKey(key: Uint8Array): Uint8Array {
  if (key.length !== PRICE_KEY_BYTES) return key;
  const ordered = Buffer.alloc(PRICE_KEY_BYTES + ORDER_BYTES);
  ordered.set(key.subarray(0, PAIR_KEY_BYTES), 0);
  const price = priceOf(key);
  if (price !== undefined) {
    const image = ((price.buy << SCALE_BITS) / price.sell).toString(16).padStart(ORDER_BYTES * 2, '0');
    ordered.write(image, PAIR_KEY_BYTES, 'hex');
  }
  ordered.set(key.subarray(PAIR_KEY_BYTES), PAIR_KEY_BYTES + ORDER_BYTES);
  return ordered;
}

/** Inverse of {@link toPriceOrderedKey}. */
export function fromPriceOrderedKey(ordered: Uint8Array): Uint8Array {
  if (ordered.length !== PRICE_KEY_BYTES + ORDER_BYTES) return ordered;
  return Buffer.concat([ordered.subarray(0, PAIR_KEY_BYTES), ordered.subarray(PAIR_KEY_BYTES + ORDER_BYTES)]);
}

/** Compares like {@link compareMarketPriceKeys}, but different keys are never equal. */
function compareStoredMarketKeys(a: Uint8Array, b: Uint8Array): number {
  return compareBytes(toPriceOrderedKey(a), toPriceOrderedKey(b));
}

function priceOf(key: Uint8Array): { readonly sell: bigint; readonly buy: bigint } | undefined {
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
  if (key.length < PRICE_KEY_BYTES) return undefined;
  const sell = view.getBigInt64(PAIR_KEY_BYTES);
  const buy = view.getBigInt64(PAIR_KEY_BYTES + 8);
  return sell > 0n && buy > 0n ? { sell, buy } : undefined;
}
