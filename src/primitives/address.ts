import type { Brand } from './brand.js';
import { fromHex, toHex } from './bytes.js';

/**
 * An account address as lower-case hex with the prefix byte (42 digits). The keys of account rows in the state have
 * this form.
 */
export type Address = Brand<string, 'Address'>;

/** Size of an address in bytes: the prefix byte and the last 20 bytes of the key's hash. */
export const ADDRESS_BYTES = 21;
/** Size of an address without the prefix byte, in bytes. Event logs and EVM words contain this form. */
export const BARE_ADDRESS_BYTES = 20;

/**
 * Converts bytes to an address. Does not check the bytes, because an address in a transaction may have any length. See
 * `isAddress`.
 */
export function toAddress(bytes: Uint8Array): Address {
  return toHex(bytes) as Address;
}

export function addressBytes(address: Address): Uint8Array {
  return fromHex(address);
}

/** Returns true if length and prefix of an address are valid. Reference: DecodeUtil.addressValid. */
export function isAddress(bytes: Uint8Array, prefix: number): boolean {
  return bytes.length === ADDRESS_BYTES && bytes[0] === prefix;
}
