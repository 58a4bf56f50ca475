import { addressBytes } from '../../log/domain/address.js';
import { concatBytes, EMPTY_BYTES, toHex } from '../../log/domain/bytes.js';
import { keccak256 } from '../../log/domain/hash.js';
/** Bytes of a row's key that stand for the contract. */
const PREFIX_BYTES = 16;
function storagePrefix(address, transactionId) {
    const source = transactionId.length === 0 ? address : concatBytes(address, transactionId);
    return keccak256(source).subarray(0, PREFIX_BYTES);
}
/** Decoded rows live across transactions, so what follows from one is worked out once. */
const prefixes = new WeakMap();
/**
 * First half of the keys of a contract's storage rows, in hex: from its address, and from the transaction that made it when that
 * was a CREATE2, so that a contract made again at the same address starts empty; an account without a row has the prefix of its
 * address. Reference: Storage.addrHash.
 */
export function storagePrefixOf(address, contract) {
    if (contract === undefined)
        return toHex(storagePrefix(addressBytes(address), EMPTY_BYTES));
    const known = prefixes.get(contract);
    if (known !== undefined)
        return known;
    const prefix = toHex(storagePrefix(addressBytes(address), contract.trxHash));
    prefixes.set(contract, prefix);
    return prefix;
}
/** Key of a storage row, in hex. Reference: Storage.compose. @param contract the row at that address */
export function storageRowKey(address, contract, slot) {
    return storagePrefixOf(address, contract) + toHex(slotKey(slot, contract?.version ?? 0));
}
/**
 * Second half of the key. Version 1 contracts hash the slot first; older ones keep its second half only, so that slots which
 * agree there share a row.
 */
export function slotKey(slot, version) {
    return (version === 1 ? keccak256(slot) : slot).subarray(PREFIX_BYTES);
}
//# sourceMappingURL=storage-key.js.map