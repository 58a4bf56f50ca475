import { fromHex, toHex } from './bytes.js';
/** Bytes of an address: the prefix byte and the last 20 bytes of the key's hash. */
export const ADDRESS_BYTES = 21;
/** Casts without a check: an address in a transaction may have any length, and `isAddress` is a rule of its own. */
export function toAddress(bytes) {
    return toHex(bytes);
}
export function addressBytes(address) {
    return fromHex(address);
}
/** Reference: DecodeUtil.addressValid (length and prefix; the checksum belongs to Base58Check only). */
export function isAddress(bytes, prefix) {
    return bytes.length === ADDRESS_BYTES && bytes[0] === prefix;
}
//# sourceMappingURL=address.js.map