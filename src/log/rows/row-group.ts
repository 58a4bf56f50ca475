import { checksum64 } from '../../crypto/checksum.js';

/**
 * Size of a group's record in the head, in bytes: u32 number of transactions, two u32 compressed sizes, u8 form of the
 * receipts, three u64 seals, i64 energy, u32 number of event logs, two u32 uncompressed sizes.
 */
export const GROUP_BYTES = 3 * 4 + 1 + 3 * 8 + 8 + 3 * 4;

/** Position of a group in its row and in its block. */
interface GroupPosition {
  /** Offset of the group's record in the row's head, which describes all groups. */
  readonly record: number;
  /** Index of the first transaction of the group in the block. */
  readonly first: number;
  /** Offset of the compressed data in the row. */
  readonly at: number;
}

/**
 * One group of a row. Sizes are those of the compressed data. Most fields are decoded on use, because a lookup needs
 * only one group.
 */
export class RowGroup {
  readonly first: number;
  readonly at: number;
  readonly count: number;
  readonly transactionsSize: number;
  readonly receiptsSize: number;
  readonly form: number;
  private readonly head: Buffer;
  private readonly record: number;

  constructor(head: Buffer, { record, first, at }: GroupPosition) {
    this.head = head;
    this.record = record;
    this.first = first;
    this.at = at;
    this.count = head.readUInt32BE(record);
    this.transactionsSize = head.readUInt32BE(record + 4);
    this.receiptsSize = head.readUInt32BE(record + 8);
    this.form = head.readUInt8(record + 12);
  }

  /** Checksum of a part of the group: 0 transaction ids, 1 transactions, 2 receipts. */
  seal(part: 0 | 1 | 2): bigint {
    return this.head.readBigUInt64BE(this.record + 13 + 8 * part);
  }

  /** Total energy used in all groups before this group. */
  get energyBefore(): bigint {
    return this.head.readBigInt64BE(this.record + 37);
  }

  /** Number of event logs in all groups before this group. */
  get logsBefore(): number {
    return this.head.readUInt32BE(this.record + 45);
  }

  /** Uncompressed size of the transactions in bytes. */
  get transactionsUnpacked(): number {
    return this.head.readUInt32BE(this.record + 49);
  }

  /** Uncompressed size of the receipts in bytes. */
  get receiptsUnpacked(): number {
    return this.head.readUInt32BE(this.record + 53);
  }
}

export interface PackedReceipts {
  readonly form: number;
  readonly bytes: Buffer;
}

interface GroupFacts {
  readonly count: number;
  readonly energy: bigint;
  readonly logs: number;
  /** Uncompressed transactions and receipts. */
  readonly plain: readonly [Buffer, Buffer];
}

/** Encodes the record of a group, in the layout that {@link RowGroup} reads. */
export function encodeGroup(
  { count, energy, logs, plain }: GroupFacts,
  ids: Buffer,
  transactions: Buffer,
  receipts: PackedReceipts,
): Buffer {
  const row = Buffer.allocUnsafe(GROUP_BYTES);
  let at = row.writeUInt32BE(count, 0);
  at = row.writeUInt32BE(transactions.length, at);
  at = row.writeUInt32BE(receipts.bytes.length, at);
  at = row.writeUInt8(receipts.form, at);
  for (const part of [ids, transactions, receipts.bytes]) at = row.writeBigUInt64BE(checksum64(part), at);
  at = row.writeBigInt64BE(energy, at);
  at = row.writeUInt32BE(logs, at);
  for (const part of plain) at = row.writeUInt32BE(part.length, at);
  return row;
}
