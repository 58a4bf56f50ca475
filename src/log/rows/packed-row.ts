import type { BlockSums } from '../../codec/block-parts.js';
import { compress } from '../../codec/snappy.js';
import { checksum64 } from '../../crypto/checksum.js';
import { GAP_BYTES, WOVEN_ID_BYTES, weaveInto } from '../../crypto/wasm/weave.js';
import { decodeEntry, entryParts, type LogEntry, readEntry } from '../log-entry.js';
import { isGrouped, leaveOutIds, packGroups, unpackBlock, unpackGroups } from './grouped-row.js';

/**
 * First byte of a packed (compressed) row. It selects one of three forms:
 * - WHOLE: one compressed part.
 * - PARTS: two compressed parts, first the entry without its block, then the block.
 * - NAMED_PARTS: like PARTS, but without the transaction ids in the results.
 *
 * Uncompressed rows have a smaller first byte. New entries with transactions have the form of `grouped-row.ts`. The
 * three forms above are for other entries, for older logs, and for blocks whose fields have another order.
 */
const [WHOLE, PARTS, NAMED_PARTS] = [0x80, 0x81, 0x82] as const;
/**
 * First byte of an entry row with a checksum (seal). The XXH64 of the row follows, big-endian, and then the compressed
 * or uncompressed row.
 */
const SEALED = 0x83;
const SEAL_BYTES = 9;
/**
 * Header size of PARTS, in bytes: first byte, u32 offset of the block in the entry, u32 compressed length of the first
 * part.
 */
const PARTS_HEAD_BYTES = 9;
/** Size up to which rows are not compressed, in bytes. Such rows contain no repetitions. */
const PLAIN_MAX = 512;

/** Compresses a `changes` record. Returns the record itself if compression does not make it shorter. */
export function packChanges(bytes: Buffer): Buffer {
  return shorter(bytes, () => Buffer.concat([Uint8Array.of(WHOLE), compress(bytes)]));
}

/**
 * Compresses an entry. The rest of the entry is compressed separately from the block, because snappy finds repetitions
 * only within 64 KiB, and the block alone can be longer. Transaction ids are removed from the results, because the
 * entry already lists them.
 * @param sums encoded size and total fee limit of the block, stored if the entry is stored in groups
 */
export function packEntry(bytes: Buffer, sums?: BlockSums): Buffer {
  if (bytes.length <= PLAIN_MAX) return bytes;
  const grouped = packGroups(bytes, sums);
  return grouped !== undefined && grouped.length < bytes.length ? grouped : seal(packParts(bytes));
}

function packParts(bytes: Buffer): Buffer {
  const parts = entryParts(bytes);
  if (parts === undefined) return bytes;
  return shorter(bytes, () => {
    const [before, block] = [bytes.subarray(0, parts.blockAt), bytes.subarray(parts.blockAt, parts.blockEnd)];
    const behind = bytes.subarray(parts.blockEnd);
    const named = leaveOutIds(bytes.subarray(parts.idsAt, parts.idsEnd), behind);
    const around = compress(Buffer.concat([before, named ?? behind]));
    const head = Buffer.allocUnsafe(PARTS_HEAD_BYTES);
    head[0] = named === undefined ? PARTS : NAMED_PARTS;
    head.writeUInt32BE(before.length, 1);
    head.writeUInt32BE(around.length, 5);
    return Buffer.concat([head, around, compress(block)]);
  });
}

/** Returns the uncompressed row. Returns the row itself if it was not compressed, and undefined for corrupt data. */
export function unpackRow(row: Buffer): Buffer | undefined {
  if (isGrouped(row)) return unpackGroups(row);
  if (row[0] !== SEALED) return unpackInner(row);
  const inner = row.subarray(SEAL_BYTES);
  return row.length > SEAL_BYTES && row.readBigUInt64BE(1) === checksum64(inner) ? unpackInner(inner) : undefined;
}

/** An entry and its uncompressed bytes. */
export interface OpenedEntry {
  readonly bytes: Buffer;
  readonly entry: LogEntry;
}

/**
 * Returns the entry of a row, or undefined if the row is corrupt. Checks the seal (a checksum of the stored bytes),
 * which takes a seventh of the time of checking the entry hash. For an old row without a seal, checks the entry hash.
 */
export function openEntry(row: Buffer): OpenedEntry | undefined {
  const bytes = unpackRow(row);
  const entry = bytes && (row[0] === SEALED || isGrouped(row) ? readEntry(bytes) : decodeEntry(bytes));
  return bytes && entry && { bytes, entry };
}

function seal(row: Buffer): Buffer {
  const head = Buffer.allocUnsafe(SEAL_BYTES);
  head[0] = SEALED;
  head.writeBigUInt64BE(checksum64(row), 1);
  return Buffer.concat([head, row]);
}

function unpackInner(row: Buffer): Buffer | undefined {
  if (row[0] === WHOLE) return unpackBlock(row.subarray(1));
  if (row[0] !== PARTS && row[0] !== NAMED_PARTS) return row;
  if (row.length < PARTS_HEAD_BYTES) return undefined;
  const at = row.readUInt32BE(1);
  const blockAt = PARTS_HEAD_BYTES + row.readUInt32BE(5);
  const around = unpackBlock(row.subarray(PARTS_HEAD_BYTES, blockAt));
  const block = unpackBlock(row.subarray(blockAt));
  if (around === undefined || block === undefined || at > around.length) return undefined;
  const before = around.subarray(0, at);
  const behind = around.subarray(at);
  if (row[0] === PARTS) return Buffer.concat([before, block, behind]);
  const parts = entryParts(before);
  return parts && withIds(before, block, before.subarray(parts.idsAt, parts.idsEnd), behind);
}

function shorter(plain: Buffer, pack: () => Buffer): Buffer {
  if (plain.length <= PLAIN_MAX) return plain;
  const packed = pack();
  return packed.length < plain.length ? packed : plain;
}

/** Returns the entry. Inserts the transaction ids into the results, which follow the block. */
function withIds(before: Buffer, block: Buffer, ids: Buffer, packed: Buffer): Buffer | undefined {
  const gapsBytes = (ids.length / WOVEN_ID_BYTES) * GAP_BYTES;
  if (packed.length < gapsBytes) return undefined;
  const behindAt = before.length + block.length;
  const whole = Buffer.allocUnsafeSlow(behindAt + packed.length - gapsBytes + ids.length);
  whole.set(before, 0);
  whole.set(block, before.length);
  return weaveInto(whole, behindAt, packed, ids) ? whole : undefined;
}
