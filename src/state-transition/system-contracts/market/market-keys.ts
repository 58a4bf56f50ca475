import { keccak256 } from '../../../crypto/hash.js';
import { concatBytes, fromHex, fromInt64, toHex, toInt64 } from '../../../primitives/bytes.js';
import { wrap64 } from '../../../primitives/int64.js';
import { unchecked } from '../../errors.js';

/** Maximum number of digits of a token id. Reference: MarketUtils.TOKEN_ID_LENGTH. */
const TOKEN_ID_BYTES = 19;

/** A price as a ratio: an order sells `sell` units of one token for `buy` units of the opposite token. */
export interface Price {
  readonly sell: bigint;
  readonly buy: bigint;
}

/** Returns the id of an account's order with number `count`. Reference: MarketUtils.calculateOrderId. */
export function orderIdOf(owner: Uint8Array, sellToken: Uint8Array, buyToken: Uint8Array, count: bigint): Uint8Array {
  return keccak256(concatBytes(owner, padded(sellToken), padded(buyToken), fromInt64(count)));
}

/**
 * Returns the key (hex) of a pair of tokens. The keys of the pair's prices start with this key. Reference:
 * MarketUtils.createPairKey.
 * @throws {ChainError} ArrayIndexOutOfBoundsException: the token ids are too long
 */
export function pairKey(sellToken: Uint8Array, buyToken: Uint8Array): string {
  const key = new Uint8Array(TOKEN_ID_BYTES * 2);
  // java-tron copies both ids without a check, so the second id overwrites the end of a long first id.
  if (sellToken.length > key.length || buyToken.length > TOKEN_ID_BYTES) {
    throw unchecked('ArrayIndexOutOfBoundsException');
  }
  key.set(sellToken);
  key.set(buyToken, TOKEN_ID_BYTES);
  return toHex(key);
}

/**
 * Returns the key (hex) of a price. The price is reduced to lowest terms, so that equal prices have the same key.
 * Reference: MarketUtils.createPairPriceKey.
 */
export function priceKey(sellToken: Uint8Array, buyToken: Uint8Array, { sell, buy }: Price): string {
  const divisor = sell === 0n || buy === 0n ? 1n : greatestCommonDivisor(sell, buy);
  return pairKey(sellToken, buyToken) + toHex(fromInt64(sell / divisor)) + toHex(fromInt64(buy / divisor));
}

/** Returns the key (hex) of the row that precedes all prices of a pair. Reference: MarketUtils.getPairPriceHeadKey. */
export function headKey(sellToken: Uint8Array, buyToken: Uint8Array): string {
  return priceKey(sellToken, buyToken, { sell: 0n, buy: 0n });
}

/** Decodes the price in a key. Reference: MarketUtils.decodeKeyToMarketPrice. */
export function priceOfKey(key: string): Price {
  const bytes = fromHex(key).subarray(TOKEN_ID_BYTES * 2);
  return { sell: toInt64(bytes.subarray(0, 8)), buy: toInt64(bytes.subarray(8, 16)) };
}

/**
 * Returns true if the taker offers at least the maker's price. `sell` and `buy` are amounts of the respective order, so
 * the taker's `sell` and the maker's `buy` are amounts of the same token. Reference: priceMatch.
 */
export function pricesMatch(taker: Price, maker: Price): boolean {
  return taker.sell * maker.sell >= maker.buy * taker.buy;
}

/**
 * Returns a × b / c, rounded down. The product is not limited to 64 bits; the result wraps to 64 bits. Reference:
 * MarketUtils.multiplyAndDivide.
 */
export function mulDiv(a: bigint, b: bigint, c: bigint): bigint {
  return wrap64((a * b) / c);
}

function padded(token: Uint8Array): Uint8Array {
  const field = new Uint8Array(TOKEN_ID_BYTES);
  field.set(token);
  return field;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}
