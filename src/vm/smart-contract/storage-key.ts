import { concatBytes } from '../../log/domain/bytes.js';
import { fastKeccak256 } from '../interpreter/wasm/hasher.js';

/** Bytes of a row's key that stand for the contract. */
const PREFIX_BYTES = 16;

/**
 * First half of the keys of a contract's storage rows, from its address, and from the transaction that made it when that
 * was a CREATE2, so that a contract made again at the same address starts empty. Reference: Storage.addrHash.
 */
export function storagePrefix(address: Uint8Array, transactionId: Uint8Array): Uint8Array {
  const source = transactionId.length === 0 ? address : concatBytes(address, transactionId);
  return fastKeccak256(source).subarray(0, PREFIX_BYTES);
}

/**
 * Key of a storage row. Version 1 contracts hash the slot first; older ones keep its second half only, so that slots which
 * agree there share a row. Reference: Storage.compose.
 */
export function storageKey(prefix: Uint8Array, slot: Uint8Array, version: number): Uint8Array {
  const key = version === 1 ? fastKeccak256(slot) : slot;
  return concatBytes(prefix, key.subarray(PREFIX_BYTES));
}
