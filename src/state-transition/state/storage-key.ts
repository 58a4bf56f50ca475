import type { SmartContract } from '../../codec/generated/messages.js';
import { keccak256 } from '../../crypto/hash.js';
import { type Address, addressBytes } from '../../primitives/address.js';
import { concatBytes, EMPTY_BYTES, fromHex, toHex } from '../../primitives/bytes.js';
import type { State } from './state.js';

/** Bytes of a row's key that stand for the contract. */
const PREFIX_BYTES = 16;
/** Digits of the hash that the key of a row begins with. */
const PREFIX_DIGITS = 2 * PREFIX_BYTES;

function storageHash(address: Uint8Array, transactionId: Uint8Array): Uint8Array {
  return keccak256(transactionId.length === 0 ? address : concatBytes(address, transactionId));
}

/** Decoded rows live across transactions, so what follows from one is worked out once. */
const hashes = new WeakMap<SmartContract, string>();

/**
 * What stands for a contract in the keys of its storage rows, 32 bytes in hex: from its address, and from the
 * transaction that made it when that was a CREATE2, so that a contract made again at the same address starts empty; an
 * account without a row has the hash of its address. Reference: Storage.addrHash.
 */
export function storageHashOf(address: Address, contract: SmartContract | undefined): string {
  if (contract === undefined) return toHex(storageHash(addressBytes(address), EMPTY_BYTES));
  const known = hashes.get(contract);
  if (known !== undefined) return known;
  const hash = toHex(storageHash(addressBytes(address), contract.trxHash));
  hashes.set(contract, hash);
  return hash;
}

/** What the keys of all of a contract's storage rows begin with, in hex. */
export function storagePrefixOf(address: Address, contract: SmartContract | undefined): string {
  return storageHashOf(address, contract).slice(0, PREFIX_DIGITS);
}

/**
 * Keys (hex) of the rows in which a slot's word may be: the first one that exists holds it, and a word is written to
 * the first. Since proposal 99 that is a row of its own, 0 for none; what was not touched since is in the row behind.
 * Reference: Storage.getOptimized.
 * @param contract the row at that address @param slot 32 bytes
 */
export function storageRowKeys(
  { properties }: Pick<State, 'properties'>,
  address: Address,
  contract: SmartContract | undefined,
  slot: Uint8Array,
): readonly [string, ...string[]] {
  const hash = storageHashOf(address, contract);
  const shared = rowKey(hash, contract?.version ?? 0, slot);
  return properties.isOn('ALLOW_OPTIMIZE_TVM_STORAGE') ? [rowKey(hash, OWN_ROW, slot), shared] : [shared];
}

/** Word of a slot, 32 bytes; undefined: nothing was written. As `storageRowKeys`. */
export function storedWord(
  state: Pick<State, 'properties' | 'storage'>,
  ...slot: [address: Address, contract: SmartContract | undefined, slot: Uint8Array]
): Uint8Array | undefined {
  for (const key of storageRowKeys(state, ...slot)) {
    const word = state.storage.get(key);
    if (word !== undefined) return word;
  }
  return undefined;
}

/** In place of a contract's version: the row that is a slot's own since proposal 99. */
export const OWN_ROW = 2 as const;

/**
 * Key of a row, in hex. Version 1 contracts hash the slot first; older ones keep its second half only, so that slots
 * which agree there share a row. Reference: Storage.compose, Storage.getNewRowKey.
 * @param hash of the contract @param form its version, or `OWN_ROW`
 */
export function rowKey(hash: string, form: number, slot: Uint8Array): string {
  const prefix = hash.slice(0, PREFIX_DIGITS);
  if (form === OWN_ROW) return prefix + toHex(keccak256(concatBytes(fromHex(hash), slot)));
  return prefix + toHex((form === 1 ? keccak256(slot) : slot).subarray(PREFIX_BYTES));
}
