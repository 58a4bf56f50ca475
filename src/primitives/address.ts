import type { Brand } from './brand.js';
import { fromHex, toHex } from './bytes.js';

/**
 * An account's address as lower-case hex, prefix byte included (42 digits): the key of account rows inside the node.
 */
export type Address = Brand<string, 'Address'>;

/** Bytes of an address: the prefix byte and the last 20 bytes of the key's hash. */
export const ADDRESS_BYTES = 21;
/** Bytes of an address where it stands without its prefix: in logs and in words of the machine. */
export const BARE_ADDRESS_BYTES = 20;

/** Casts without a check: an address in a transaction may have any length, and `isAddress` is a rule of its own. */
export function toAddress(bytes: Uint8Array): Address {
  return toHex(bytes) as Address;
}

export function addressBytes(address: Address): Uint8Array {
  return fromHex(address);
}

/** Reference: DecodeUtil.addressValid (length and prefix; the checksum belongs to Base58Check only). */
export function isAddress(bytes: Uint8Array, prefix: number): boolean {
  return bytes.length === ADDRESS_BYTES && bytes[0] === prefix;
}
