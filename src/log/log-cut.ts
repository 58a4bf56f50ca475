import { HASH_BYTES } from '../domain/hash.js';
import { readSeq, seqKey } from './block-key.js';

/** Where a log begins whose older entries have left: the newest of those, an `applied` one. */
export interface LogCut {
  readonly seq: number;
  /** Its block, which was the head then and is irreversible. */
  readonly number: number;
  readonly id: Uint8Array;
  /** State digest after that block. */
  readonly digest: Uint8Array;
  /** Hash of the entry: what the next one links to. */
  readonly hash: Uint8Array;
}

/** Name of the fact that holds it. */
export const CUT = 'cut';

const NUMBERS_BYTES = 16;

/** seq, number: 8 bytes each; id, digest, hash: 32 bytes each. */
export function encodeCut({ seq, number, id, digest, hash }: LogCut): Buffer {
  return Buffer.concat([seqKey(seq), seqKey(number), id, digest, hash]);
}

export function decodeCut(bytes: Buffer): LogCut {
  const part = (at: number): Buffer =>
    bytes.subarray(NUMBERS_BYTES + at * HASH_BYTES, NUMBERS_BYTES + (at + 1) * HASH_BYTES);
  return { seq: readSeq(bytes), number: readSeq(bytes.subarray(8)), id: part(0), digest: part(1), hash: part(2) };
}
