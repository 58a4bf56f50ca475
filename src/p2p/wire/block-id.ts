import { HASH_BYTES } from '../../crypto/hash.js';
import { fromHex, fromInt64, toHex, toInt64 } from '../../primitives/bytes.js';
import { P2pError } from '../p2p-error.js';

/** A block's id: height in the first 8 bytes, then the tail of the header's hash. */
export interface BlockId {
  /** 64 digits. */
  readonly hex: string;
  readonly number: number;
}

/** An id as it stands in an inventory. @throws {P2pError} PARSE_MESSAGE_FAILED: not 32 bytes */
export function blockIdOf(id: Uint8Array): BlockId {
  return { hex: hashHex(id), number: Number(toInt64(id.subarray(0, 8))) };
}

export function blockIdOfHex(hex: string): BlockId {
  return blockIdOf(fromHex(hex));
}

/**
 * An id that comes with its number: the number is written over the first 8 bytes.
 * Reference: BlockId.
 * @throws {P2pError}
 */
export function blockIdWith(hash: Uint8Array, number: bigint): BlockId {
  return { hex: toHex(fromInt64(number)) + hashHex(hash).slice(16), number: Number(number) };
}

/** @throws {P2pError} PARSE_MESSAGE_FAILED: not 32 bytes. Reference: Sha256Hash.wrap. */
export function hashHex(hash: Uint8Array): string {
  if (hash.length !== HASH_BYTES) throw new P2pError('PARSE_MESSAGE_FAILED', `a hash of ${hash.length} bytes`);
  return toHex(hash);
}
