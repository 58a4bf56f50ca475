import type { SmartContract } from '../../codec/generated/messages.js';
import { type Address, addressBytes } from '../../domain/address.js';
import { concatBytes, EMPTY_BYTES, toHex } from '../../domain/bytes.js';
import { keccak256 } from '../../domain/hash.js';

/** Bytes of a row's key that stand for the contract. */
const PREFIX_BYTES = 16;

function storagePrefix(address: Uint8Array, transactionId: Uint8Array): Uint8Array {
  const source = transactionId.length === 0 ? address : concatBytes(address, transactionId);
  return keccak256(source).subarray(0, PREFIX_BYTES);
}

/** Decoded rows live across transactions, so what follows from one is worked out once. */
const prefixes = new WeakMap<SmartContract, string>();

/**
 * First half of the keys of a contract's storage rows, in hex: from its address, and from the transaction that made it when that
 * was a CREATE2, so that a contract made again at the same address starts empty; an account without a row has the prefix of its
 * address. Reference: Storage.addrHash.
 */
export function storagePrefixOf(address: Address, contract: SmartContract | undefined): string {
  if (contract === undefined) return toHex(storagePrefix(addressBytes(address), EMPTY_BYTES));
  const known = prefixes.get(contract);
  if (known !== undefined) return known;
  const prefix = toHex(storagePrefix(addressBytes(address), contract.trxHash));
  prefixes.set(contract, prefix);
  return prefix;
}

/** Key of a storage row, in hex. Reference: Storage.compose. @param contract the row at that address */
export function storageRowKey(address: Address, contract: SmartContract | undefined, slot: Uint8Array): string {
  return storagePrefixOf(address, contract) + toHex(slotKey(slot, contract?.version ?? 0));
}

/**
 * Second half of the key. Version 1 contracts hash the slot first; older ones keep its second half only, so that slots which
 * agree there share a row.
 */
export function slotKey(slot: Uint8Array, version: number): Uint8Array {
  return (version === 1 ? keccak256(slot) : slot).subarray(PREFIX_BYTES);
}
