import type { BlockSums } from '../../codec/block-parts.js';
import { compress, snappyLength, uncompress } from '../../codec/snappy.js';
import { checksum64 } from '../../crypto/checksum.js';
import { HASH_BYTES } from '../../crypto/hash.js';
import { GAP_BYTES, weaveInto } from '../../crypto/wasm/weave.js';
import { entryParts } from '../log-entry.js';
import { type EntryElements, findElements } from './entry-elements.js';
import { encodeGroup, GROUP_BYTES, type PackedReceipts, RowGroup } from './row-group.js';

/**
 * First byte of a compressed `applied` entry whose transactions can be read one by one. Consecutive transactions form a
 * group. A group has three parts: transaction ids, transactions and receipts. Each part has a seal (XXH64 checksum). A
 * reader decompresses only the groups that it needs. The receipts are stored without transaction ids, because the group
 * already has the ids.
 *
 * Layout of the row: first byte, u32 length of the head, u64 seal of the head, head, groups.
 *
 * Layout of the head: u32 number of groups, then GROUP_BYTES per group, then three parts of the entry, each after its
 * u32 length. These parts are the bytes before the transaction ids, the block after its transactions, and the results
 * before the receipts. SHA-256 of the entry follows. With SUMMED, u32 encoded size of the block and i64 sum of the fee
 * limits follow.
 */
const [GROUPED, SUMMED] = [0x84, 0x85] as const;

const START_BYTES = 1 + 4 + 8;
const SUMS_BYTES = 4 + 8;
/**
 * Uncompressed size in bytes at which a group ends. The transactions and the receipts are counted separately. See
 * `docs/decisions.md` for other sizes.
 */
const UNPACKED_BYTES = 16_384;
/** Maximum ratio of uncompressed to compressed size in snappy: three bytes can encode a copy of 64 bytes. */
const GROWTH_MAX = 22;
const GAP_MAX = 0xffff;
/** Forms of the receipts in a group: no receipts, receipts with transaction ids, receipts without transaction ids. */
const [NO_RECEIPTS, WHOLE, WITHOUT_IDS] = [0, 1, 2] as const;

/** Decoded head of a row: positions of the groups, and the parts of the entry around the transactions. */
export interface RowHead {
  readonly groups: readonly RowGroup[];
  readonly transactionCount: number;
  readonly hasReceipts: boolean;
  /** Bytes of the entry before its transaction ids. */
  readonly before: Buffer;
  /** Bytes of the encoded block after its transactions. */
  readonly blockTail: Buffer;
  /** Bytes of the encoded results before the receipts. */
  readonly resultsStart: Buffer;
  /** SHA-256 of the entry. */
  readonly hash: Buffer;
  /**
   * Encoded size and total fee limit of the block. Undefined in a row that an earlier build or a replica has written.
   */
  readonly sums: BlockSums | undefined;
}

/** Returns true for a row that stores its transactions in groups. */
export function isGrouped(row: Buffer): boolean {
  return row[0] === GROUPED || row[0] === SUMMED;
}

/**
 * Compresses an `applied` entry. Returns undefined for an entry without transactions, or with an unusual order of
 * fields.
 */
export function packGroups(bytes: Buffer, sums?: BlockSums): Buffer | undefined {
  const parts = entryParts(bytes);
  if (parts === undefined) return undefined;
  const { idsAt, idsEnd, blockAt, blockEnd } = parts;
  const count = (idsEnd - idsAt) / HASH_BYTES;
  const [block, results] = [bytes.subarray(blockAt, blockEnd), bytes.subarray(blockEnd + 4, -HASH_BYTES)];
  const elements = count === 0 ? undefined : findElements(block, results, count);
  if (elements === undefined) return undefined;
  const { transactionEnds, receiptsAt, receiptEnds, figures } = elements;
  const rows: Buffer[] = [];
  const packed: Buffer[] = [];
  let [first, blockFrom, resultsFrom, energy, logs] = [0, 0, receiptsAt, 0n, 0];
  while (first < count) {
    const end = groupEnd(elements, first, blockFrom, resultsFrom);
    const ids = bytes.subarray(idsAt + first * HASH_BYTES, idsAt + end * HASH_BYTES);
    const plain = [
      block.subarray(blockFrom, transactionEnds[end - 1]),
      results.subarray(resultsFrom, receiptEnds[end - 1] ?? resultsFrom),
    ] as const;
    const [transactions, receipts] = [compress(plain[0]), packReceipts(plain[1], ids)];
    rows.push(encodeGroup({ count: end - first, energy, logs, plain }, ids, transactions, receipts));
    packed.push(ids, transactions, receipts.bytes);
    for (const own of figures.slice(first, end)) {
      energy = BigInt.asIntN(64, energy + own.energy);
      logs += own.logs;
    }
    [first, blockFrom, resultsFrom] = [end, transactionEnds[end - 1] ?? 0, receiptEnds[end - 1] ?? resultsFrom];
  }
  const around = [bytes.subarray(0, idsAt), block.subarray(blockFrom), results.subarray(0, receiptsAt)];
  const head = Buffer.concat([
    u32(rows.length),
    ...rows,
    ...around.flatMap((part) => [u32(part.length), part]),
    bytes.subarray(-HASH_BYTES),
    ...(sums === undefined ? [] : [sumsRow(sums)]),
  ]);
  const start = Buffer.allocUnsafe(START_BYTES);
  start[0] = sums === undefined ? GROUPED : SUMMED;
  start.writeUInt32BE(head.length, 1);
  start.writeBigUInt64BE(checksum64(head), 5);
  return Buffer.concat([start, head, ...packed]);
}

/** Reads the head of a row. The result does not refer to the row. Returns undefined for corrupt data. */
export function readRowHead(row: Buffer): RowHead | undefined {
  if (!isGrouped(row) || row.length < START_BYTES) return undefined;
  const length = row.readUInt32BE(1);
  // A copy, because a row may be a view into memory that the next read overwrites.
  const head = Buffer.from(row.subarray(START_BYTES, START_BYTES + length));
  if (head.length !== length || row.readBigUInt64BE(5) !== checksum64(head)) return undefined;
  const groups: RowGroup[] = [];
  let position = 4;
  let [first, at] = [0, START_BYTES + length];
  for (let left = head.readUInt32BE(0); left > 0; left--) {
    const group = new RowGroup(head, { record: position, first, at });
    groups.push(group);
    position += GROUP_BYTES;
    first += group.count;
    at += group.count * HASH_BYTES + group.transactionsSize + group.receiptsSize;
  }
  const take = (): Buffer => {
    const from = position + 4;
    position = from + head.readUInt32BE(position);
    return head.subarray(from, position);
  };
  const [before, blockTail, resultsStart] = [take(), take(), take()];
  const hasReceipts = groups.some(({ form }) => form !== NO_RECEIPTS);
  const hash = head.subarray(position, position + HASH_BYTES);
  const hasSums = row[0] === SUMMED;
  // The seal does not cover the first byte, which shows if the row has sums. The check of the length verifies the first
  // byte.
  if (head.length !== position + HASH_BYTES + (hasSums ? SUMS_BYTES : 0)) return undefined;
  const sums = hasSums ? readSums(head, position + HASH_BYTES) : undefined;
  return { groups, transactionCount: first, hasReceipts, before, blockTail, resultsStart, hash, sums };
}

/** Returns the ids of a group; a view into the row. Undefined for corrupt data. */
export function idsOfGroup(row: Buffer, group: RowGroup): Buffer | undefined {
  return sealed(row, group.at, group.count * HASH_BYTES, group.seal(0));
}

/** Returns the transactions of a group: fields of `protocol.Block`. Undefined for corrupt data. */
export function transactionsOfGroup(row: Buffer, group: RowGroup): Buffer | undefined {
  const packed = sealed(row, group.at + group.count * HASH_BYTES, group.transactionsSize, group.seal(1));
  return packed && unpackBlock(packed);
}

/** Returns the receipts of a group: fields of `protocol.TransactionRet`. Undefined for corrupt data. */
export function receiptsOfGroup(row: Buffer, group: RowGroup): Buffer | undefined {
  if (group.form === NO_RECEIPTS) return Buffer.alloc(0);
  const at = group.at + group.count * HASH_BYTES + group.transactionsSize;
  const packed = sealed(row, at, group.receiptsSize, group.seal(2));
  const unpacked = packed && unpackBlock(packed);
  if (unpacked === undefined || group.form === WHOLE) return unpacked;
  const ids = idsOfGroup(row, group);
  const length = unpacked.length + group.count * (HASH_BYTES - GAP_BYTES);
  if (ids === undefined || unpacked.length < group.count * GAP_BYTES) return undefined;
  const receipts = Buffer.allocUnsafeSlow(length);
  return weaveInto(receipts, 0, unpacked, ids) ? receipts : undefined;
}

/** Returns the bytes of the entry, or undefined for corrupt data. */
export function unpackGroups(row: Buffer): Buffer | undefined {
  const head = readRowHead(row);
  if (head === undefined) return undefined;
  const ids: Buffer[] = [];
  const transactions: Buffer[] = [];
  const receipts: Buffer[] = [];
  for (const group of head.groups) {
    const own = [idsOfGroup(row, group), transactionsOfGroup(row, group), receiptsOfGroup(row, group)] as const;
    if (own[0] === undefined || own[1] === undefined || own[2] === undefined) return undefined;
    ids.push(own[0]);
    transactions.push(own[1]);
    receipts.push(own[2]);
  }
  const block = [...transactions, head.blockTail];
  const results = [head.resultsStart, ...receipts];
  return Buffer.concat([
    head.before,
    ...ids,
    u32(sizeOf(block)),
    ...block,
    u32(sizeOf(results)),
    ...results,
    head.hash,
  ]);
}

function groupEnd(
  { transactionEnds, receiptEnds }: EntryElements,
  first: number,
  blockFrom: number,
  resultsFrom: number,
): number {
  let end = first + 1;
  const isSmall = (at: number): boolean =>
    (transactionEnds[at] ?? 0) - blockFrom <= UNPACKED_BYTES && (receiptEnds[at] ?? 0) - resultsFrom <= UNPACKED_BYTES;
  while (end < transactionEnds.length && isSmall(end)) end++;
  return end;
}

function packReceipts(receipts: Buffer, ids: Buffer): PackedReceipts {
  if (receipts.length === 0) return { form: NO_RECEIPTS, bytes: receipts };
  const without = leaveOutIds(ids, receipts);
  return { form: without === undefined ? WHOLE : WITHOUT_IDS, bytes: compress(without ?? receipts) };
}

/**
 * Removes transaction ids from the encoded results. Returns the gaps (numbers of bytes between two ids), followed by
 * the remaining bytes. Returns undefined if an id is missing, or a gap is too long to encode.
 */
export function leaveOutIds(ids: Buffer, text: Buffer): Buffer | undefined {
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

/** Returns the uncompressed data of a snappy block, or undefined for corrupt data. */
export function unpackBlock(block: Buffer): Buffer | undefined {
  const length = snappyLength(block);
  return length === undefined || length > GROWTH_MAX * block.length ? undefined : uncompress(block);
}

function sumsRow({ encodedSize, feeLimits }: BlockSums): Buffer {
  const row = Buffer.allocUnsafe(SUMS_BYTES);
  row.writeBigInt64BE(feeLimits, row.writeUInt32BE(encodedSize, 0));
  return row;
}

function readSums(head: Buffer, at: number): BlockSums {
  return { encodedSize: head.readUInt32BE(at), feeLimits: head.readBigInt64BE(at + 4) };
}

function sealed(row: Buffer, at: number, size: number, seal: bigint): Buffer | undefined {
  const part = row.subarray(at, at + size);
  return part.length === size && checksum64(part) === seal ? part : undefined;
}

function sizeOf(parts: readonly Buffer[]): number {
  return parts.reduce((size, part) => size + part.length, 0);
}

function u32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value, 0);
  return bytes;
}
