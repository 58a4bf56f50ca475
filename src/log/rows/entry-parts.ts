import { ReceiptFigures } from '../../codec/block-figures.js';
import type { BlockParts, BlockSums, ReceiptSum } from '../../codec/block-parts.js';
import { Reader } from '../../codec/reader.js';
import { HASH_BYTES } from '../../crypto/hash.js';
import { itemAt } from '../../primitives/assert.js';
import { idsOfGroup, type RowGroup, type RowHead, receiptsOfGroup, transactionsOfGroup } from './grouped-row.js';

/** A stored row that contains transactions and receipts in groups, see `grouped-row.ts`. */
interface GroupedSource {
  readonly head: RowHead;
  /** Returns the row; valid until the next read. */
  row(): Buffer;
  /** Throws the error for a corrupt row. */
  refuse(): never;
}

/** Uncompressed parts of a group, by index in the group. */
interface UnpackedGroup {
  ids?: Buffer;
  transactions?: readonly Uint8Array[];
  receipts?: readonly Uint8Array[];
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
    return groups.reduce((size, { unpackedSizes }) => size + unpackedSizes[0], blockTail.length);
  }

  get resultsSize(): number {
    const { groups, resultsStart } = this.source.head;
    return groups.reduce((size, { unpackedSizes }) => size + unpackedSizes[1], resultsStart.length);
  }

  get header(): Uint8Array {
    return this.source.head.blockTail;
  }

  transactionId(index: number): Uint8Array {
    const [group, known] = this.groupOf(index);
    known.ids ??= Buffer.from(idsOfGroup(this.source.row(), group) ?? this.source.refuse());
    return known.ids.subarray((index - group.first) * HASH_BYTES, (index - group.first + 1) * HASH_BYTES);
  }

  transaction(index: number): Uint8Array {
    const [group, known] = this.groupOf(index);
    known.transactions ??= this.elements(transactionsOfGroup(this.source.row(), group));
    return itemAt(known.transactions, index - group.first);
  }

  receipt(index: number): Uint8Array {
    const [group] = this.groupOf(index);
    return itemAt(this.receiptsOf(index), index - group.first);
  }

  sumBefore(index: number): ReceiptSum {
    const [{ first, energyBefore, logsBefore }] = this.groupOf(index);
    let [energy, logs] = [energyBefore, logsBefore];
    for (const receipt of this.receiptsOf(index).slice(0, index - first)) {
      const own = ReceiptFigures.of(receipt);
      energy += own.energy;
      logs += own.logs;
    }
    return { energy, logs };
  }

  private receiptsOf(index: number): readonly Uint8Array[] {
    const [group, known] = this.groupOf(index);
    known.receipts ??= this.elements(receiptsOfGroup(this.source.row(), group));
    return known.receipts;
  }

  private elements(bytes: Buffer | undefined): readonly Uint8Array[] {
    return Reader.decode<GroupElements>(bytes ?? this.source.refuse(), GroupElements).elements;
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

/** Collects the elements of a group: transactions of `protocol.Block`, or receipts of `protocol.TransactionRet`. */
class GroupElements {
  readonly elements: Uint8Array[] = [];
  $unknown: Uint8Array | undefined;

  static read(reader: Reader, end: number, found: GroupElements): GroupElements {
    while (reader.position < end) {
      // A group contains only this field, with different field numbers for transactions and receipts.
      reader.tag();
      found.elements.push(reader.bytes());
    }
    return found;
  }
}
