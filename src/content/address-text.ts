import { isAddress } from '../domain/address.js';
import { itemAt } from '../domain/assert.js';
import { decodeBase58Check, encodeBase58Check } from '../domain/base58-check.js';
import { toHex } from '../domain/bytes.js';
import { illegalArgument } from '../java/error.js';
import type { JsonRelease } from './json/json-release.js';

/** What addresses are like. */
export interface AddressForm {
  /** First byte. */
  readonly addressPrefix: number;
  readonly release: JsonRelease;
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
    if (!DIGITS.includes(itemAt(text, at))) throw illegalArgument(`Illegal character ${text[at]} at ${at}`);
  }
  const bytes = decodeBase58Check(text);
  return bytes !== undefined && isAddress(bytes, addressPrefix) ? bytes : undefined;
}

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Enough for the addresses of some hundred blocks. */
const TEXTS_MAX = 20_000;
const texts = new Map<string, string>();

/** Base58Check text of address bytes as they stand in a message (any length). Kept for those seen lately: making it takes 20 µs. */
export function addressText(bytes: Uint8Array): string {
  const hex = toHex(bytes);
  const known = texts.get(hex);
  if (known !== undefined) return known;
  if (texts.size >= TEXTS_MAX) texts.clear();
  const text = encodeBase58Check(bytes);
  texts.set(hex, text);
  return text;
}

/** The same of the last 20 bytes of a word or of a log's address. Reference: TransactionTrace.convertToTronAddress. */
export function wordAddressText(bytes: Uint8Array, addressPrefix: number): string {
  return addressText(Buffer.concat([Uint8Array.of(addressPrefix), bytes.subarray(-20)]));
}
