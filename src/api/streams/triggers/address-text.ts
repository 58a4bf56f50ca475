import { encodeBase58Check } from '../../../domain/base58-check.js';
import { toHex } from '../../../domain/bytes.js';

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
