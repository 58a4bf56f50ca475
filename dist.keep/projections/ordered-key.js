import { fromPriceOrderedKey, PAIR_KEY_BYTES, toPriceOrderedKey } from './market-price-order.js';
import { MARKET_PAIR_PRICE_TO_ORDER } from './stores.js';
/** Key of a row inside LMDB: store byte, then the key in a form whose bytes sort as the reference iterates the store. */
export function orderedKey(store, key) {
    const tail = store === MARKET_PAIR_PRICE_TO_ORDER ? toPriceOrderedKey(key) : key;
    const bytes = Buffer.allocUnsafe(1 + tail.length);
    bytes[0] = store;
    bytes.set(tail, 1);
    return bytes;
}
/** The same as text of one character a byte: a map key that sorts like the bytes. */
export function orderedText(store, key) {
    const tail = store === MARKET_PAIR_PRICE_TO_ORDER ? toPriceOrderedKey(key) : key;
    if (tail.length >= scratch.length)
        return orderedKey(store, key).toString('latin1');
    scratch[0] = store;
    scratch.set(tail, 1);
    return scratch.toString('latin1', 0, tail.length + 1);
}
/** Store byte and key are put together here and not as texts: a text made of two parts is slow as a map key. */
const scratch = Buffer.allocUnsafeSlow(4096);
/** Store key of an {@link orderedKey}. */
export function keyOfOrdered(ordered) {
    const tail = ordered.subarray(1);
    return ordered[0] === MARKET_PAIR_PRICE_TO_ORDER ? fromPriceOrderedKey(tail) : tail;
}
export function orderedRange(store, options = {}) {
    const { prefix, from, reverse = false, limit = Number.POSITIVE_INFINITY } = options;
    const isWide = store === MARKET_PAIR_PRICE_TO_ORDER && prefix !== undefined && prefix.length > PAIR_KEY_BYTES;
    const bounded = isWide ? prefix.subarray(0, PAIR_KEY_BYTES) : (prefix ?? new Uint8Array(0));
    let low = String.fromCharCode(store) + Buffer.from(bounded).toString('latin1');
    let high = textAfterPrefix(low);
    if (from !== undefined) {
        const text = orderedText(store, from);
        if (reverse && `${text}\0` < high)
            high = `${text}\0`;
        if (!reverse && text > low)
            low = text;
    }
    return { low, high, reverse, limit, prefix: isWide ? prefix : undefined };
}
/** The smallest text above all that begin with `prefix` (never empty here: the store byte is below ff). */
function textAfterPrefix(prefix) {
    let end = prefix.length;
    while (end > 0 && prefix.charCodeAt(end - 1) === 0xff)
        end--;
    return prefix.slice(0, end - 1) + String.fromCharCode(prefix.charCodeAt(end - 1) + 1);
}
//# sourceMappingURL=ordered-key.js.map