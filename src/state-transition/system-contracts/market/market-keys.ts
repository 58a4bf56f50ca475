import { keccak256 } from '../../../crypto/hash.js';
import { concatBytes, fromHex, fromInt64, toHex, toInt64 } from '../../../primitives/bytes.js';
import { wrap64 } from '../../../primitives/int64.js';
import { unchecked } from '../../errors.js';

/** Digits of the longest token id. Reference: MarketUtils.TOKEN_ID_LENGTH. */
const TOKEN_ID_BYTES = 19;

/** Quantities whose ratio is a price: `sell` of one token for `buy` of the other. */
export interface Price {
  readonly sell: bigint;
  readonly buy: bigint;
}

/** Id of an account's order number `count`. Reference: MarketUtils.calculateOrderId. */
export function orderIdOf(owner: Uint8Array, sellToken: Uint8Array, buyToken: Uint8Array, count: bigint): Uint8Array {
  return keccak256(concatBytes(owner, padded(sellToken), padded(buyToken), fromInt64(count)));
}

/**
 * Key (hex) of a pair, and prefix of the keys of its prices. Reference: MarketUtils.createPairKey. @throws {ChainError}
 * ArrayIndexOutOfBoundsException, names that do not fit
 */
export function pairKey(sellToken: Uint8Array, buyToken: Uint8Array): string {
  const key = new Uint8Array(TOKEN_ID_BYTES * 2);
  // A longer first name is written over by the second: the reference copies without looking.
  if (sellToken.length > key.length || buyToken.length > TOKEN_ID_BYTES) {
    throw unchecked('ArrayIndexOutOfBoundsException');
  }
  key.set(sellToken);
  key.set(buyToken, TOKEN_ID_BYTES);
  return toHex(key);
}

/**
 * Key (hex) of a price in lowest terms, so that equal prices share a row.
 * Reference: MarketUtils.createPairPriceKey.
 */
export function priceKey(sellToken: Uint8Array, buyToken: Uint8Array, { sell, buy }: Price): string {
  const divisor = sell === 0n || buy === 0n ? 1n : greatestCommonDivisor(sell, buy);
  return pairKey(sellToken, buyToken) + toHex(fromInt64(sell / divisor)) + toHex(fromInt64(buy / divisor));
}

/** Key (hex) of the row that stands before all prices of a pair. Reference: MarketUtils.getPairPriceHeadKey. */
export function headKey(sellToken: Uint8Array, buyToken: Uint8Array): string {
  return priceKey(sellToken, buyToken, { sell: 0n, buy: 0n });
}

/** Reference: MarketUtils.decodeKeyToMarketPrice. */
export function priceOfKey(key: string): Price {
  const bytes = fromHex(key).subarray(TOKEN_ID_BYTES * 2);
  return { sell: toInt64(bytes.subarray(0, 8)), buy: toInt64(bytes.subarray(8, 16)) };
}

/**
 * Whether a taker offers at least what a maker asks; each price in the terms of its own order.
 * Reference: priceMatch.
 */
export function pricesMatch(taker: Price, maker: Price): boolean {
  return taker.sell * maker.sell >= maker.buy * taker.buy;
}

/** `a * b / c`, rounded down, without overflow in between. Reference: MarketUtils.multiplyAndDivide. */
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
