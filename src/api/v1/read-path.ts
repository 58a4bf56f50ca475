import { decodeBase58Check } from '../../crypto/base58-check.js';
import { isAddress } from '../../primitives/address.js';
import { concatBytes, fromHex } from '../../primitives/bytes.js';
import { badParameter } from './v1-error.js';
import type { V1Source } from './v1-source.js';

/**
 * Parses an address in a path: Base58Check, or hex with or without the prefix byte.
 * @throws {V1Error} the address is malformed
 */
export function readPathAddress({ api }: Pick<V1Source, 'api'>, text: string): Uint8Array {
  const { addressPrefix } = api.settings;
  const bytes = /^(0x)?[0-9a-fA-F]{40,42}$/.test(text) ? ofHex(text, addressPrefix) : decodeBase58Check(text);
  if (bytes !== undefined && isAddress(bytes, addressPrefix)) return bytes;
  throw badParameter('the address', 'is not an address of this network');
}

function ofHex(text: string, addressPrefix: number): Uint8Array | undefined {
  const hex = text.replace(/^0x/, '').toLowerCase();
  if (hex.length === 41) return undefined;
  return hex.length === 40 ? concatBytes(Uint8Array.of(addressPrefix), fromHex(hex)) : fromHex(hex);
}

/** Parses a transaction id. @throws {V1Error} the id is malformed */
export function readId(text: string): Uint8Array {
  if (/^(0x)?[0-9a-fA-F]{64}$/.test(text)) return fromHex(text.replace(/^0x/, '').toLowerCase());
  throw badParameter('the transaction', 'must be an id of 64 hex digits');
}
