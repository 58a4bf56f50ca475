import { HASH_BYTES } from '../../crypto/hash.js';
import { fromHex, fromInt64, toHex, toInt64 } from '../../primitives/bytes.js';
import { P2pError } from '../p2p-error.js';

/** A block id: 8 bytes of height, then the last 24 bytes of the header hash. */
export interface BlockId {
  /** Id as 64 hex digits. */
  readonly hex: string;
  readonly number: number;
}

/** Decodes a block id of an inventory. @throws {P2pError} PARSE_MESSAGE_FAILED: the id is not 32 bytes long */
export function blockIdOf(id: Uint8Array): BlockId {
  return { hex: hashHex(id), number: Number(toInt64(id.subarray(0, 8))) };
}

export function blockIdOfHex(hex: string): BlockId {
  return blockIdOf(fromHex(hex));
}

/**
 * Decodes a block id that was sent together with its height. As in java-tron, this height replaces the first 8 bytes of
 * the id. Reference: BlockId.
 * @throws {P2pError} PARSE_MESSAGE_FAILED: the id is not 32 bytes long
 */
export function blockIdWith(hash: Uint8Array, number: bigint): BlockId {
  return { hex: toHex(fromInt64(number)) + hashHex(hash).slice(16), number: Number(number) };
}

/**
 * Returns a hash in hex. Reference: Sha256Hash.wrap.
 * @throws {P2pError} PARSE_MESSAGE_FAILED: when the hash is not 32 bytes long
 */
export function hashHex(hash: Uint8Array): string {
  if (hash.length !== HASH_BYTES)
    throw new P2pError('PARSE_MESSAGE_FAILED', `invalid hash: ${hash.length} bytes, expected ${HASH_BYTES}`);
  return toHex(hash);
}
