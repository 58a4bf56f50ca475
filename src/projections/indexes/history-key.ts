import { seqKey } from '../../log/block-key.js';
import { ADDRESS_BYTES } from '../../primitives/address.js';

const HEIGHT_BYTES = 8;
const PLACE_BYTES = 4;

/** Position of a history row in the chain: the block height, followed by indexes inside the block. */
export type HistoryPosition = readonly [number: number, ...indexes: number[]];

/**
 * Returns the key of a row: account, then position. The rows of an account are therefore adjacent and in chain order.
 */
export function indexKey(address: Uint8Array, [number, ...indexes]: HistoryPosition): Buffer {
  const key = Buffer.allocUnsafe(address.length + HEIGHT_BYTES + indexes.length * PLACE_BYTES);
  key.set(address);
  key.set(seqKey(number), address.length);
  let at = address.length + HEIGHT_BYTES;
  for (const index of indexes) at = key.writeUInt32BE(index, at);
  return key;
}

/** Decodes the position in the key of a row. @param prefixBytes number of bytes before the position */
export function positionOfKey(key: Uint8Array, prefixBytes = ADDRESS_BYTES): HistoryPosition {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
  const positions: number[] = [];
  for (let at = prefixBytes + HEIGHT_BYTES; at < bytes.length; at += PLACE_BYTES)
    positions.push(bytes.readUInt32BE(at));
  return [Number(bytes.readBigUInt64BE(prefixBytes)), ...positions];
}
