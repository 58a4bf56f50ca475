import { seqKey } from '../../log/block-key.js';
import { ADDRESS_BYTES } from '../../primitives/address.js';

const PLACE_BYTES = 4;

/** Position of a history row in the chain: the block height, followed by indexes inside the block. */
export type HistoryPosition = readonly [number: number, ...indexes: number[]];

/** Returns the key of a row: account and position. The rows of an account are adjacent and in chain order. */
export function indexKey(address: Uint8Array, [number, ...positions]: HistoryPosition): Buffer {
  const rest = Buffer.alloc(positions.length * PLACE_BYTES);
  for (const [at, position] of positions.entries()) rest.writeUInt32BE(position, at * PLACE_BYTES);
  return Buffer.concat([address, seqKey(number), rest]);
}

export function positionOfKey(key: Uint8Array): HistoryPosition {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
  const positions: number[] = [];
  for (let at = ADDRESS_BYTES + 8; at < bytes.length; at += PLACE_BYTES) positions.push(bytes.readUInt32BE(at));
  return [Number(bytes.readBigUInt64BE(ADDRESS_BYTES)), ...positions];
}
