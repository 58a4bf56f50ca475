import { compress, snappyLength, uncompress } from '../codec/snappy.js';
import { checksum64 } from '../crypto/checksum.js';
import { HASH_BYTES } from '../crypto/hash.js';
import { GAP_BYTES, THREAD_BYTES, weaveInto } from '../crypto/wasm/weave.js';
import { decodeEntry, entryParts, type LogEntry, readEntry } from './log-entry.js';

/**
 * First byte of a row that is packed, as a block of snappy; as two, of what stands around the block of an entry and of
 * that block; or as two, where the results of the block name the entry's transactions. A plain row begins with its kind
 * or its version, which are small.
 */
const [WHOLE, PARTS, NAMED_PARTS] = [0x80, 0x81, 0x82] as const;
/** First byte of an entry's row that is sealed: then XXH64 of all behind, big-endian, and a row as above. */
const SEALED = 0x83;
const SEAL_BYTES = 9;
/** Of parts: first byte, u32 where the block belongs, u32 length of what stands around it, packed. */
const PARTS_HEAD_BYTES = 9;
/** Shorter rows stay as they are: there is nothing to find in them twice. */
const PLAIN_MAX = 512;
/** A copy of 64 bytes takes three in a snappy block, so that none holds more than 22 times its length. */
const GROWTH_MAX = 22;
const GAP_MAX = 0xffff;

/** A `changes` record as it is stored. What does not become shorter stays plain. */
export function packChanges(bytes: Buffer): Buffer {
  return shorter(bytes, () => Buffer.concat([Uint8Array.of(WHOLE), compress(bytes)]));
}

/**
 * An entry as it is stored. Snappy looks back 64 KiB at most, which a block alone has, so that what stands around it is
 * packed apart; and results name each transaction, whose ids the entry has already: those are left out.
 */
export function packEntry(bytes: Buffer): Buffer {
  return bytes.length <= PLAIN_MAX ? bytes : seal(packParts(bytes));
}

function packParts(bytes: Buffer): Buffer {
  const parts = entryParts(bytes);
  if (parts === undefined) return bytes;
  return shorter(bytes, () => {
    const [before, block] = [bytes.subarray(0, parts.blockAt), bytes.subarray(parts.blockAt, parts.blockEnd)];
    const behind = bytes.subarray(parts.blockEnd);
    const named = leaveOut(bytes.subarray(parts.idsAt, parts.idsEnd), behind);
    const around = compress(Buffer.concat([before, named ?? behind]));
    const head = Buffer.allocUnsafe(PARTS_HEAD_BYTES);
    head[0] = named === undefined ? PARTS : NAMED_PARTS;
    head.writeUInt32BE(before.length, 1);
    head.writeUInt32BE(around.length, 5);
    return Buffer.concat([head, around, compress(block)]);
  });
}

/** What was packed, or the row itself where it is plain; undefined for bytes that nobody packed. */
export function unpackRow(row: Buffer): Buffer | undefined {
  if (row[0] !== SEALED) return unpackInner(row);
  const inner = row.subarray(SEAL_BYTES);
  return row.length > SEAL_BYTES && row.readBigUInt64BE(1) === checksum64(inner) ? unpackInner(inner) : undefined;
}

/** An entry, and its bytes as they are when not packed. */
export interface OpenedEntry {
  readonly bytes: Buffer;
  readonly entry: LogEntry;
}

/**
 * The entry of a row; undefined for a row that is not what was written. A seal is that proof: it is over what is stored
 * and takes a seventh of the time of the entry's own hash, which proves the rows of older logs and is what the full
 * check looks at.
 */
export function openEntry(row: Buffer): OpenedEntry | undefined {
  const bytes = unpackRow(row);
  const entry = bytes && (row[0] === SEALED ? readEntry(bytes) : decodeEntry(bytes));
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

function unpackBlock(block: Buffer): Buffer | undefined {
  const length = snappyLength(block);
  return length === undefined || length > GROWTH_MAX * block.length ? undefined : uncompress(block);
}

/** Gaps before each id, then what is left without them; undefined where not each id follows the one before it soon. */
function leaveOut(ids: Buffer, text: Buffer): Buffer | undefined {
  const count = ids.length / HASH_BYTES;
  const gaps = Buffer.allocUnsafe(count * GAP_BYTES);
  const left: Buffer[] = [gaps];
  let end = 0;
  for (let index = 0; index < count; index++) {
    const id = ids.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
    const at = text.subarray(end, end + GAP_MAX + HASH_BYTES).indexOf(id);
    if (at < 0) return undefined;
    gaps.writeUInt16BE(at, index * GAP_BYTES);
    left.push(text.subarray(end, end + at));
    end += at + HASH_BYTES;
  }
  left.push(text.subarray(end));
  return Buffer.concat(left);
}

/** The entry, with its ids where they were in what stands behind the block. */
function withIds(before: Buffer, block: Buffer, ids: Buffer, packed: Buffer): Buffer | undefined {
  const gapsBytes = (ids.length / THREAD_BYTES) * GAP_BYTES;
  if (packed.length < gapsBytes) return undefined;
  const behindAt = before.length + block.length;
  const whole = Buffer.allocUnsafeSlow(behindAt + packed.length - gapsBytes + ids.length);
  whole.set(before, 0);
  whole.set(block, before.length);
  return weaveInto(whole, behindAt, packed, ids) ? whole : undefined;
}
