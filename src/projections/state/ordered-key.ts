import { fromPriceOrderedKey, PAIR_KEY_BYTES, toPriceOrderedKey } from './market-price-order.js';
import type { RangeOptions } from './state-reader.js';
import { MARKET_PAIR_PRICE_TO_ORDER, type StoreId } from './stores.js';

/**
 * Returns the LMDB key of a row: the store byte, then the key in a form that sorts in the iteration order of java-tron.
 */
export function orderedKey(store: StoreId, key: Uint8Array): Buffer {
  const tail = store === MARKET_PAIR_PRICE_TO_ORDER ? toPriceOrderedKey(key) : key;
  const bytes = Buffer.allocUnsafe(1 + tail.length);
  bytes[0] = store;
  bytes.set(tail, 1);
  return bytes;
}

/** Returns the ordered key as latin1 text. Such texts have the same order as the bytes, and can be keys of a `Map`. */
export function orderedText(store: StoreId, key: Uint8Array): string {
  const tail = store === MARKET_PAIR_PRICE_TO_ORDER ? toPriceOrderedKey(key) : key;
  if (tail.length >= scratch.length) return orderedKey(store, key).toString('latin1');
  scratch[0] = store;
  scratch.set(tail, 1);
  return scratch.toString('latin1', 0, tail.length + 1);
}

/**
 * Buffer in which `orderedText` builds the text. V8 stores a concatenated string as a tree, and must copy it before
 * it can be a map key.
 */
const scratch = Buffer.allocUnsafeSlow(4096);

/** Returns the store key of an {@link orderedKey}. */
export function keyOfOrdered(ordered: Uint8Array): Uint8Array {
  const tail = ordered.subarray(1);
  return ordered[0] === MARKET_PAIR_PRICE_TO_ORDER ? fromPriceOrderedKey(tail) : tail;
}

/** Bounds of a range read, as ordered keys in text form: `low` inclusive, `high` exclusive. */
export interface OrderedRange {
  readonly low: string;
  readonly high: string;
  readonly reverse: boolean;
  readonly limit: number;
  /**
   * Prefix that the reader must compare with each key; undefined if the bounds are exact. The bounds contain too many
   * keys if the prefix ends inside the price part of a key.
   */
  readonly prefix: Uint8Array | undefined;
}

export function orderedRange(store: StoreId, options: RangeOptions = {}): OrderedRange {
  const { prefix, from, reverse = false, limit = Number.POSITIVE_INFINITY } = options;
  const isWide = store === MARKET_PAIR_PRICE_TO_ORDER && prefix !== undefined && prefix.length > PAIR_KEY_BYTES;
  const bounded = isWide ? prefix.subarray(0, PAIR_KEY_BYTES) : (prefix ?? new Uint8Array(0));
  let low = String.fromCharCode(store) + Buffer.from(bounded).toString('latin1');
  let high = textAfterPrefix(low);
  if (from !== undefined) {
    const text = orderedText(store, from);
    if (reverse && `${text}\0` < high) high = `${text}\0`;
    if (!reverse && text > low) low = text;
  }
  return { low, high, reverse, limit, prefix: isWide ? prefix : undefined };
}

/**
 * Returns the smallest text above all texts with a prefix. Such a text always exists, because the store byte at the
 * start of the prefix is below ff.
 */
function textAfterPrefix(prefix: string): string {
  let end = prefix.length;
  while (end > 0 && prefix.charCodeAt(end - 1) === 0xff) end--;
  return prefix.slice(0, end - 1) + String.fromCharCode(prefix.charCodeAt(end - 1) + 1);
}
