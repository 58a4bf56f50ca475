import type { Brand } from './brand.js';
import { fromHex, toHex } from './bytes.js';

/** An account address as lower-case hex with the prefix byte (42 digits). The state uses it as key of account rows. */
export type Address = Brand<string, 'Address'>;

/** Size of an address in bytes: the prefix byte and the last 20 bytes of the key's hash. */
export const ADDRESS_BYTES = 21;
/** Size of an address without prefix in bytes, as in event logs and EVM words. */
export const BARE_ADDRESS_BYTES = 20;

/** Converts without a check, because an address in a transaction may have any length. See `isAddress`. */
export function toAddress(bytes: Uint8Array): Address {
  return toHex(bytes) as Address;
}

export function addressBytes(address: Address): Uint8Array {
  return fromHex(address);
}

/** Returns whether length and prefix are valid. Reference: DecodeUtil.addressValid. */
export function isAddress(bytes: Uint8Array, prefix: number): boolean {
  return bytes.length === ADDRESS_BYTES && bytes[0] === prefix;
}
