import type { SmartContract } from '../../codec/generated/messages.js';
import { keccak256 } from '../../crypto/hash.js';
import { type Address, addressBytes } from '../../primitives/address.js';
import { concatBytes, EMPTY_BYTES, fromHex, toHex } from '../../primitives/bytes.js';
import type { Properties } from './properties.js';

/** Properties that select the layout of storage row keys. */
interface StorageRules {
  readonly properties: Pick<Properties, 'isOn'>;
}

/** Number of bytes of the contract's hash in a row's key. */
const PREFIX_BYTES = 16;
/** Number of hex digits of the contract's hash at the start of a row's key. */
const PREFIX_DIGITS = 2 * PREFIX_BYTES;

function storageHash(address: Uint8Array, transactionId: Uint8Array): Uint8Array {
  return keccak256(transactionId.length === 0 ? address : concatBytes(address, transactionId));
}

/**
 * Cache of contract hashes by decoded contract row. The state caches the row object across transactions, so later
 * transactions find the hash.
 */
const hashes = new WeakMap<SmartContract, string>();

/**
 * Returns the hash that identifies a contract in the keys of its storage rows, 32 bytes in hex. Reference:
 * Storage.addrHash.
 *
 * The hash depends on the address. For CREATE2, it also depends on the transaction that created the contract, so a
 * contract that is created again at the same address starts with empty storage. For an account without a contract row,
 * it is the hash of the address.
 */
export function storageHashOf(address: Address, contract: SmartContract | undefined): string {
  if (contract === undefined) return toHex(storageHash(addressBytes(address), EMPTY_BYTES));
  const known = hashes.get(contract);
  if (known !== undefined) return known;
  const hash = toHex(storageHash(addressBytes(address), contract.trxHash));
  hashes.set(contract, hash);
  return hash;
}

/** Returns the common prefix of the keys of a contract's storage rows, in hex. */
export function storagePrefixOf(address: Address, contract: SmartContract | undefined): string {
  return storageHashOf(address, contract).slice(0, PREFIX_DIGITS);
}

/**
 * Returns the keys (hex) of the rows that may store a slot. The first existing row contains the value. Writes use the
 * first key. Reference: Storage.getOptimized.
 *
 * Since proposal 99, the first key is that of a row for this slot only, and the row also stores the value 0. The
 * second key is that of the row that several slots may share. It contains the values of slots that no transaction has
 * accessed since the proposal.
 * @param contract contract row at the address
 * @param slot 32 bytes
 */
export function storageRowKeys(
  { properties }: StorageRules,
  address: Address,
  contract: SmartContract | undefined,
  slot: Uint8Array,
): readonly [string, ...string[]] {
  const hash = storageHashOf(address, contract);
  const shared = rowKey(hash, contract?.version ?? 0, slot);
  return properties.isOn('ALLOW_OPTIMIZE_TVM_STORAGE') ? [rowKey(hash, OWN_ROW, slot), shared] : [shared];
}

/**
 * Returns the 32-byte word of a slot; undefined if no row stores the slot, because it was never written or was set to
 * zero. The parameters are those of `storageRowKeys`.
 */
export function storedWord(
  state: StorageRules & { readonly storage: { get(key: string): Uint8Array | undefined } },
  ...slot: [address: Address, contract: SmartContract | undefined, slot: Uint8Array]
): Uint8Array | undefined {
  for (const key of storageRowKeys(state, ...slot)) {
    const word = state.storage.get(key);
    if (word !== undefined) return word;
  }
  return undefined;
}

/**
 * Value of the parameter `form` of `rowKey` for a row that stores only this slot (proposal 99). All other values of
 * `form` are versions of the contract.
 */
export const OWN_ROW = 2 as const;

/**
 * Returns the key of a storage row in hex. For a contract of version 1, the key contains the second half of the slot's
 * hash. For an older contract, it contains the second half of the slot itself, so slots with equal second halves share
 * a row. Reference: Storage.compose, Storage.getNewRowKey.
 * @param hash hash of the contract, see `storageHashOf`
 * @param form the contract's version, or `OWN_ROW`
 */
export function rowKey(hash: string, form: number, slot: Uint8Array): string {
  const prefix = hash.slice(0, PREFIX_DIGITS);
  if (form === OWN_ROW) return prefix + toHex(keccak256(concatBytes(fromHex(hash), slot)));
  return prefix + toHex((form === 1 ? keccak256(slot) : slot).subarray(PREFIX_BYTES));
}
