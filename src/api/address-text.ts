import { isAddress } from '../domain/address.js';
import { decodeBase58Check, encodeBase58Check } from '../domain/base58-check.js';
import { illegalArgument } from '../java/error.js';
import type { ApiRelease } from './releases/api-release.js';

/** What addresses are like. */
export interface AddressForm {
  /** First byte. */
  readonly addressPrefix: number;
  readonly release: ApiRelease;
}

/** Characters of an address. Reference: Commons.BASE58_ADDRESS_LENGTH. */
const ADDRESS_CHARS = 34;

/**
 * Address of a Base58Check text; undefined when it is empty, of a wrong checksum or no address.
 * Reference: Commons.decodeFromBase58Check. @throws {JavaError} IllegalArgumentException, a character that is no digit
 */
export function addressOfText(
  text: string | null | undefined,
  { addressPrefix, release }: AddressForm,
): Uint8Array | undefined {
  if (text === null || text === undefined || text === '') return undefined;
  if (release.checksAddressLength && text.length !== ADDRESS_CHARS) return undefined;
  for (let at = 0; at < text.length; at++) {
    if (!DIGITS.includes(text[at]!)) throw illegalArgument(`Illegal character ${text[at]} at ${at}`);
  }
  const bytes = decodeBase58Check(text);
  return bytes !== undefined && isAddress(bytes, addressPrefix) ? bytes : undefined;
}

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

const cache = new Map<string, string>();
/** Texts of addresses that were printed last: the conversion is slow, and few addresses are asked for often. */
const CACHE_MAX = 4096;

/** Reference: StringUtil.encode58Check. */
export function textOfAddress(bytes: Uint8Array): string {
  const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const known = cache.get(key);
  if (known !== undefined) return known;
  const text = encodeBase58Check(bytes);
  if (cache.size >= CACHE_MAX) cache.clear();
  if (bytes.length <= 32) cache.set(key, text);
  return text;
}
