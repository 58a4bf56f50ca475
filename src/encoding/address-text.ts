import { decodeBase58Check, encodeBase58Check } from '../crypto/base58-check.js';
import { illegalArgument } from '../java-compat/java-error.js';
import { ADDRESS_BYTES, isAddress } from '../primitives/address.js';
import { itemAt } from '../primitives/assert.js';
import type { JsonRelease } from './json/json-release.js';

/** Settings that determine how addresses are parsed. */
export interface AddressForm {
  /** First byte of every address. */
  readonly addressPrefix: number;
  readonly release: JsonRelease;
}

/** Length of a Base58Check address in characters. Reference: Commons.BASE58_ADDRESS_LENGTH. */
const ADDRESS_CHARS = 34;

/**
 * Decodes a Base58Check address. Returns undefined for an empty text, for a wrong checksum, and for bytes that are not
 * an address. If the release checks the length, also returns undefined for a text that does not have 34 characters.
 * Reference: Commons.decodeFromBase58Check.
 * @throws {JavaError} IllegalArgumentException: a character is not in the Base58 alphabet
 */
export function addressOfText(
  text: string | null | undefined,
  { addressPrefix, release }: AddressForm,
): Uint8Array | undefined {
  if (text === null || text === undefined || text === '') return undefined;
  if (release.checksAddressLength && text.length !== ADDRESS_CHARS) return undefined;
  for (let at = 0; at < text.length; at++) {
    if (!DIGITS.includes(itemAt(text, at))) throw illegalArgument(`Illegal character ${text[at]} at ${at}`);
  }
  const bytes = decodeBase58Check(text);
  return bytes !== undefined && isAddress(bytes, addressPrefix) ? bytes : undefined;
}

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Number of cache entries for address texts: one for each value of the last two bytes of an address. */
const PLACES = 2 ** 16;
const addresses = Buffer.alloc(PLACES * ADDRESS_BYTES);
const texts: (string | undefined)[] = new Array(PLACES).fill(undefined);

/**
 * Returns the Base58Check text of address bytes of any length. Caches recent texts, because encoding takes some µs. The
 * last two bytes of an address select its cache entry.
 */
export function addressText(bytes: Uint8Array): string {
  if (bytes.length !== ADDRESS_BYTES) return encodeBase58Check(bytes);
  const cacheIndex = itemAt(bytes, ADDRESS_BYTES - 2) * 256 + itemAt(bytes, ADDRESS_BYTES - 1);
  const known = texts[cacheIndex];
  if (known !== undefined && isAt(bytes, cacheIndex * ADDRESS_BYTES)) return known;
  const text = encodeBase58Check(bytes);
  addresses.set(bytes, cacheIndex * ADDRESS_BYTES);
  texts[cacheIndex] = text;
  return text;
}

function isAt(bytes: Uint8Array, start: number): boolean {
  for (let at = 0; at < ADDRESS_BYTES; at++) if (addresses[start + at] !== bytes[at]) return false;
  return true;
}

/**
 * Returns the text of the address in the last 20 bytes of a word or log address. Reference:
 * TransactionTrace.convertToTronAddress.
 */
export function wordAddressText(bytes: Uint8Array, addressPrefix: number): string {
  return addressText(Buffer.concat([Uint8Array.of(addressPrefix), bytes.subarray(-20)]));
}
