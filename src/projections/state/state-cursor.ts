import { checksum64 } from '../../crypto/checksum.js';
import type { StoreId } from './stores.js';

/** Row count, and sum of the row checksums modulo 2^64, of each store. Stores that never had a row are missing. */
export type StoreTotals = ReadonlyMap<StoreId, { readonly rows: number; readonly sum: bigint }>;

/** Log position of a state. */
export interface StateCursor {
  /** Seq of the newest entry that the state includes. */
  readonly seq: number;
  readonly number: number;
  readonly id: Uint8Array;
  readonly digest: Uint8Array;
  readonly totals: StoreTotals;
}

const HEAD_BYTES = 80;
const TOTAL_BYTES = 17;

export function encodeStateCursor({ seq, number, id, digest, totals }: StateCursor): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES + totals.size * TOTAL_BYTES + 8);
  bytes.writeBigUInt64BE(BigInt(seq), 0);
  bytes.writeBigUInt64BE(BigInt(number), 8);
  bytes.set(id, 16);
  bytes.set(digest, 48);
  let at = HEAD_BYTES;
  for (const [store, { rows, sum }] of [...totals].sort(([a], [b]) => a - b)) {
    at = bytes.writeUInt8(store, at);
    at = bytes.writeBigUInt64BE(BigInt(rows), at);
    at = bytes.writeBigUInt64BE(sum, at);
  }
  bytes.writeBigUInt64BE(checksum64(bytes.subarray(0, at)), at);
  return bytes;
}

/** Decodes a cursor. Returns undefined if the length or the checksum is invalid. */
export function decodeStateCursor(bytes: Buffer): StateCursor | undefined {
  const end = bytes.length - 8;
  if (end < HEAD_BYTES || (end - HEAD_BYTES) % TOTAL_BYTES !== 0) return undefined;
  if (bytes.readBigUInt64BE(end) !== checksum64(bytes.subarray(0, end))) return undefined;
  const totals = new Map<StoreId, { rows: number; sum: bigint }>();
  for (let at = HEAD_BYTES; at < end; at += TOTAL_BYTES) {
    totals.set(bytes[at] as StoreId, {
      rows: Number(bytes.readBigUInt64BE(at + 1)),
      sum: bytes.readBigUInt64BE(at + 9),
    });
  }
  return {
    seq: Number(bytes.readBigUInt64BE(0)),
    number: Number(bytes.readBigUInt64BE(8)),
    id: bytes.subarray(16, 48),
    digest: bytes.subarray(48, HEAD_BYTES),
    totals,
  };
}
