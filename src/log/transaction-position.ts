import { readSeq, seqKey } from './block-key.js';

/** Position of a transaction: the entry of its block, and its index in the block. */
export interface TransactionPosition {
  readonly seq: number;
  readonly index: number;
}

/**
 * Name of the fact with the lowest seq whose transaction positions are in the table `places`. The positions of earlier
 * entries are in the older table `transactions`.
 */
export const POSITIONS_FROM = 'places-from';

/**
 * Number of bytes of a transaction id that are the key of its position. An address has the same length, for which
 * collisions are infeasible. With whole ids, this table would take a third of the disk space that a transfer
 * transaction needs. The entry of the block contains the whole ids.
 */
const KEY_BYTES = 20;
const SEQ_BYTES = 5;
const INDEX_BYTES = 3;

export function positionKey(id: Uint8Array): Uint8Array {
  return id.subarray(0, KEY_BYTES);
}

/** Encodes a position: seq in 5 bytes, index in 3. */
export function positionRow({ seq, index }: TransactionPosition): Buffer {
  const row = Buffer.allocUnsafe(SEQ_BYTES + INDEX_BYTES);
  row.writeUIntBE(seq, 0, SEQ_BYTES);
  row.writeUIntBE(index, SEQ_BYTES, INDEX_BYTES);
  return row;
}

export function decodePosition(row: Uint8Array): TransactionPosition {
  const bytes = Buffer.from(row.buffer, row.byteOffset, row.byteLength);
  return { seq: bytes.readUIntBE(0, SEQ_BYTES), index: bytes.readUIntBE(SEQ_BYTES, INDEX_BYTES) };
}

/**
 * Encodes a position in the older format: seq and height of 8 bytes each, index of 4 bytes. The key of such a row is
 * the whole transaction id.
 */
export function olderPositionRow({ seq, index }: TransactionPosition, number: number): Buffer {
  const row = Buffer.allocUnsafe(20);
  row.set(seqKey(seq), 0);
  row.set(seqKey(number), 8);
  row.writeUInt32BE(index, 16);
  return row;
}

export function decodeOlderPosition(row: Uint8Array): TransactionPosition {
  return { seq: readSeq(row), index: Buffer.from(row.buffer, row.byteOffset, row.byteLength).readUInt32BE(16) };
}
