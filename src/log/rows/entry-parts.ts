import { ReceiptFigures } from '../../codec/block-figures.js';
import type { BlockParts, BlockSums, ReceiptSum } from '../../codec/block-parts.js';
import { Reader } from '../../codec/reader.js';
import { HASH_BYTES } from '../../crypto/hash.js';
import { itemAt } from '../../primitives/assert.js';
import { idsOfGroup, type RowHead, receiptsOfGroup, transactionsOfGroup } from './grouped-row.js';
import type { RowGroup } from './row-group.js';

/** A stored row that contains transactions and receipts in groups, see `grouped-row.ts`. */
interface GroupedSource {
  readonly head: RowHead;
  /** Returns the row; valid until the next read. */
  row(): Buffer;
  /** Throws the error for a corrupt row. */
  refuse(): never;
  /** Reports the size of newly decompressed data, in bytes. */
  readonly onUnpack?: (bytes: number) => void;
}

/** Uncompressed parts of a group. */
interface UnpackedGroup {
  ids?: Buffer;
  transactions?: GroupElements;
  receipts?: GroupElements;
  /**
   * For each receipt of the group: sums of energy and logs over all earlier receipts of the block. Computed up to the
   * highest requested index.
   */
  sums?: ReceiptSum[];
}

/** Reads single transactions and receipts of a row that stores them in groups. Decompresses each group at most once. */
export class EntryParts implements BlockParts {
  private readonly source: GroupedSource;
  private readonly unpacked: readonly UnpackedGroup[];

  constructor(source: GroupedSource) {
    this.source = source;
    this.unpacked = source.head.groups.map(() => ({}));
  }

  get transactionCount(): number {
    return this.source.head.transactionCount;
  }

  get hasReceipts(): boolean {
    return this.source.head.hasReceipts;
  }

  get sums(): BlockSums | undefined {
    return this.source.head.sums;
  }

  get blockSize(): number {
    const { groups, blockTail } = this.source.head;
    return groups.reduce((size, { transactionsUnpacked }) => size + transactionsUnpacked, blockTail.length);
  }

  get resultsSize(): number {
    const { groups, resultsStart } = this.source.head;
    return groups.reduce((size, { receiptsUnpacked }) => size + receiptsUnpacked, resultsStart.length);
  }

  get header(): Uint8Array {
    return this.source.head.blockTail;
  }

  transactionId(index: number): Uint8Array {
    const [group, known] = this.groupOf(index);
    if (known.ids === undefined) {
      known.ids = Buffer.from(idsOfGroup(this.source.row(), group) ?? this.source.refuse());
      this.source.onUnpack?.(known.ids.length);
    }
    return known.ids.subarray((index - group.first) * HASH_BYTES, (index - group.first + 1) * HASH_BYTES);
  }

  transaction(index: number): Uint8Array {
    const [group, known] = this.groupOf(index);
    known.transactions ??= this.elements(transactionsOfGroup(this.source.row(), group));
    return known.transactions.at(index - group.first);
  }

  receipt(index: number): Uint8Array {
    const [group, known] = this.groupOf(index);
    return this.receiptsOf(group, known).at(index - group.first);
  }

  sumBefore(index: number): ReceiptSum {
    const [group, known] = this.groupOf(index);
    const receipts = this.receiptsOf(group, known);
    known.sums ??= [{ energy: group.energyBefore, logs: group.logsBefore }];
    const { sums } = known;
    while (sums.length <= index - group.first) {
      const { energy, logs } = itemAt(sums, sums.length - 1);
      const own = ReceiptFigures.of(receipts.at(sums.length - 1));
      sums.push({ energy: energy + own.energy, logs: logs + own.logs });
    }
    return itemAt(sums, index - group.first);
  }

  private receiptsOf(group: RowGroup, known: UnpackedGroup): GroupElements {
    known.receipts ??= this.elements(receiptsOfGroup(this.source.row(), group));
    return known.receipts;
  }

  private elements(unpacked: Buffer | undefined): GroupElements {
    const bytes = unpacked ?? this.source.refuse();
    this.source.onUnpack?.(bytes.length);
    return new GroupElements(bytes);
  }

  private groupOf(index: number): readonly [RowGroup, UnpackedGroup] {
    const { groups } = this.source.head;
    let [low, high] = [0, groups.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (itemAt(groups, middle).first <= index) low = middle;
      else high = middle - 1;
    }
    return [itemAt(groups, low), itemAt(this.unpacked, low)];
  }
}

/**
 * The elements of a group: transactions of `protocol.Block`, or receipts of `protocol.TransactionRet`. Stores only
 * their positions, because most reads need only one of about a hundred elements.
 */
class GroupElements {
  private readonly bytes: Uint8Array;
  private readonly ranges: Ranges;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.ranges = Reader.decode(bytes, Ranges);
  }

  at(index: number): Uint8Array {
    const { starts, ends } = this.ranges;
    return this.bytes.subarray(itemAt(starts, index), itemAt(ends, index));
  }
}

/**
 * Positions of the elements in the bytes of a group. A group contains only elements, as fields with the same number.
 */
class Ranges {
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  $unknown: Uint8Array | undefined;

  static read(reader: Reader, end: number, found: Ranges): Ranges {
    while (reader.position < end) {
      reader.tag();
      found.starts.push(reader.skipBytes());
      found.ends.push(reader.position);
    }
    return found;
  }
}
