import { readSeq, seqKey } from './block-key.js';

/** Where a transaction stands: the entry of its block, and which of that block's it is. */
export interface TransactionPosition {
  readonly seq: number;
  readonly index: number;
}

/**
 * Name of the fact that holds the first entry whose transactions are in the table of places; those before are in an
 * older one.
 */
export const POSITIONS_FROM = 'places-from';

/**
 * Bytes of an id by which its place is found: as many as an address has, so that nobody makes two transactions of which
 * they are the same. Whole ids took a third of what a transfer takes on the disk, and each is in its block's entry too.
 */
const KEY_BYTES = 20;
const SEQ_BYTES = 5;
const INDEX_BYTES = 3;

export function positionKey(id: Uint8Array): Uint8Array {
  return id.subarray(0, KEY_BYTES);
}

/** Seq in 5 bytes, index in 3. */
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

/** The older form, behind a whole id: seq and height of 8 bytes, index of 4. */
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
