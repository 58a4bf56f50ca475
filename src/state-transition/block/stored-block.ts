import { ReceiptFigures } from '../../codec/block-figures.js';
import type { BlockParts, ReceiptSum } from '../../codec/block-parts.js';
import { RESULTS_TAGS } from '../../codec/block-tags.js';
import {
  Block,
  type BlockHeader,
  BlockHeaderRaw,
  type InternalTransaction,
  Transaction,
  TransactionInfo,
  TransactionRet,
} from '../../codec/generated/messages.js';
import { Reader } from '../../codec/reader.js';
import { itemAt, present } from '../../primitives/assert.js';
import { EMPTY_BYTES } from '../../primitives/bytes.js';
import { wrap64 } from '../../primitives/int64.js';
import { fieldSize } from '../transactions/decode-transaction.js';
import { canonical, hasCanonicalReceipts, hasCanonicalTransactions, isCanonical } from './canonical-encoding.js';
import { type DecodedBlock, decodeBlock } from './decoded-block.js';
import { BlockPartsInBytes, blockId } from './encoded-block.js';
import { StoredTransaction } from './stored-transaction.js';

/** Encoded form of a stored block. */
interface BlockBytes {
  readonly block: Uint8Array;
  /**
   * Encoded `protocol.TransactionRet`. Empty for a block without transactions, and for genesis, which is not executed.
   */
  readonly results: Uint8Array;
  /** Height, id and transaction ids as the log entry stores them. A missing value is computed from the block. */
  readonly number?: number;
  readonly id?: Uint8Array;
  readonly transactionIds?: readonly Uint8Array[];
  /**
   * Reads single transactions and receipts, without the rest of the block. Undefined if the log does not store the
   * block in parts.
   */
  readonly parts?: BlockParts | undefined;
}

/**
 * A stored block. Its parts are decoded on demand, each part once. Reading the height or id decodes no transaction, and
 * reading a transaction decodes no other transaction. Decoding takes about 3 µs per transaction, and the same for its
 * result.
 */
export class StoredBlock<Entry extends BlockBytes = BlockBytes> {
  readonly entry: Entry;
  /** Returns the encoded internal transactions that the log stores next to the block, as `protocol.TransactionRet`. */
  private readonly keptInternal: () => Uint8Array | undefined;
  private knownParts: BlockPartsInBytes | undefined;
  private knownId: Uint8Array | undefined;
  private knownResults: readonly Uint8Array[] | undefined;
  private readonly knownInfos: TransactionInfo[] = [];
  private readonly knownTransactions: StoredTransaction[] = [];
  private knownInternal: readonly (readonly InternalTransaction[])[] | undefined;
  private knownDecoded: DecodedBlock | undefined;
  private knownFigures: readonly ReceiptFigures[] | undefined;

  /**
   * Creates the view of an encoded block.
   * @param keptInternal returns the stored internal transactions; if it returns undefined, those in the receipts are
   * used
   */
  constructor(entry: Entry, keptInternal: () => Uint8Array | undefined = () => undefined) {
    this.entry = entry;
    this.keptInternal = keptInternal;
  }

  get number(): number {
    return this.entry.number ?? Number(this.header.number);
  }

  get id(): Uint8Array {
    this.knownId ??= this.entry.id ?? blockId(this.header);
    return this.knownId;
  }

  get header(): BlockHeaderRaw {
    return this.blockHeader?.rawData ?? new BlockHeaderRaw();
  }

  get signature(): Uint8Array {
    return this.blockHeader?.witnessSignature ?? EMPTY_BYTES;
  }

  get transactionCount(): number {
    return this.entry.parts?.transactionCount ?? this.parts.transactionCount;
  }

  /** Stored size of the block, in bytes. */
  get blockBytes(): number {
    return this.entry.parts?.blockSize ?? this.entry.block.length;
  }

  /** Stored size of the receipts, in bytes. */
  get resultBytes(): number {
    return this.entry.parts?.resultsSize ?? this.entry.results.length;
  }

  get transactions(): readonly StoredTransaction[] {
    for (let index = 0; index < this.transactionCount; index++) this.transactionAt(index);
    return this.knownTransactions;
  }

  /** Returns a transaction; undefined if the block has no transaction with this index. */
  transactionAt(index: number): StoredTransaction | undefined {
    if (index < 0 || index >= this.transactionCount) return undefined;
    const known = this.knownTransactions[index] ?? new StoredTransaction(this, index);
    this.knownTransactions[index] = known;
    return known;
  }

  /** Returns the bytes of a transaction, as `protocol.Transaction`. */
  transactionBytes(index: number): Uint8Array {
    return this.entry.parts?.transaction(index) ?? itemAt(this.parts.transactions, index);
  }

  /** Returns the id of a transaction. Computes the id if the log entry does not list it. The index must be valid. */
  transactionId(index: number): Uint8Array {
    const listed = this.entry.parts?.transactionId(index) ?? this.entry.transactionIds?.[index];
    return listed ?? present(this.transactionAt(index), 'the index is valid').decoded.id;
  }

  /** Receipts of all transactions; empty for genesis. */
  get infos(): readonly TransactionInfo[] {
    for (let index = 0; index < this.receiptCount; index++) this.infoAt(index);
    return this.knownInfos;
  }

  /** Returns the receipt of a transaction; undefined for genesis. */
  infoAt(index: number): TransactionInfo | undefined {
    if (index < 0 || index >= this.receiptCount) return undefined;
    const bytes = this.receiptBytes(index);
    const known = this.knownInfos[index] ?? TransactionInfo.decode(bytes);
    this.knownInfos[index] = known;
    return known;
  }

  /**
   * Returns the internal transactions of a transaction. The block log stores all internal transactions until it
   * deletes the state changes of the block. Afterwards, returns the internal transactions in the receipt; the
   * configuration determines which ones a receipt contains.
   */
  internalAt(index: number): readonly InternalTransaction[] {
    this.knownInternal ??= this.readInternal();
    return this.knownInternal[index] ?? [];
  }

  /** Energy and number of event logs of each receipt, read without decoding the whole receipts; empty for genesis. */
  get receiptFigures(): readonly ReceiptFigures[] {
    this.knownFigures ??= Array.from({ length: this.receiptCount }, (_, index) =>
      ReceiptFigures.of(this.receiptBytes(index)),
    );
    return this.knownFigures;
  }

  /** Returns the sums of energy and of event logs over all receipts before the receipt with this index. */
  sumBefore(index: number): ReceiptSum {
    const { parts } = this.entry;
    if (parts !== undefined) return parts.sumBefore(index);
    const before = this.receiptFigures.slice(0, index);
    return {
      energy: before.reduce((sum, { energy }) => sum + energy, 0n),
      logs: before.reduce((sum, { logs }) => sum + logs, 0),
    };
  }

  /** Number of receipts; 0 for genesis. */
  get receiptCount(): number {
    const { parts } = this.entry;
    if (parts === undefined) return this.results.length;
    return parts.hasReceipts ? parts.transactionCount : 0;
  }

  /** Size of the canonical encoding of the block, in bytes. The stored bytes may have another encoding. */
  get encodedSize(): number {
    const known = this.entry.parts?.sums?.encodedSize;
    return known ?? (this.isCanonical() ? this.blockBytes : Block.encode(this.decoded.message).length);
  }

  /** Sum of the fee limits of the transactions in SUN, as a Java long. */
  get feeLimits(): bigint {
    const known = this.entry.parts?.sums?.feeLimits;
    return known ?? this.transactions.reduce((sum, { feeLimit }) => wrap64(sum + feeLimit), 0n);
  }

  /** The block header with its signature; undefined for a block without a header. */
  get blockHeader(): BlockHeader | undefined {
    return this.parts.header;
  }

  /** The fully decoded block. */
  get decoded(): DecodedBlock {
    this.knownDecoded ??= decodeBlock(this.entry.block);
    return this.knownDecoded;
  }

  /** The block in canonical encoding: `protocol.Block`. */
  get canonicalBytes(): Uint8Array {
    return canonical(Block, this.entry.block);
  }

  /** All transactions in canonical encoding: `protocol.Transaction`. */
  get canonicalTransactions(): readonly Uint8Array[] {
    const { parts } = this.entry;
    const areCanonical = parts !== undefined && hasCanonicalTransactions(parts);
    return Array.from({ length: this.transactionCount }, (_, index) => {
      const bytes = this.transactionBytes(index);
      return areCanonical ? bytes : canonical(Transaction, bytes);
    });
  }

  /** The receipts of all transactions in canonical encoding (`protocol.TransactionInfo`); empty for genesis. */
  get canonicalReceipts(): readonly Uint8Array[] {
    const { parts } = this.entry;
    const areCanonical = parts !== undefined && hasCanonicalReceipts(parts);
    return Array.from({ length: this.receiptCount }, (_, index) =>
      areCanonical ? this.receiptBytes(index) : this.canonicalReceipt(index),
    );
  }

  /** Returns a receipt in canonical encoding: `protocol.TransactionInfo`. The index must be valid. */
  canonicalReceipt(index: number): Uint8Array {
    return canonical(TransactionInfo, this.receiptBytes(index));
  }

  /** Returns the stored bytes of a receipt. The index must be valid. */
  private receiptBytes(index: number): Uint8Array {
    return this.entry.parts?.receipt(index) ?? itemAt(this.results, index);
  }

  /**
   * Returns true if the stored bytes are known to be the canonical encoding; false if this is unknown. If the log
   * stores the block in parts, checks the header and each transaction separately.
   */
  private isCanonical(): boolean {
    const { parts } = this.entry;
    if (parts === undefined) return isCanonical(Block, this.entry.block);
    if (!hasCanonicalTransactions(parts) || !isCanonical(Block, parts.header)) return false;
    let size = parts.header.length;
    for (let index = 0; index < parts.transactionCount; index++) size += fieldSize(parts.transaction(index).length);
    return size === parts.blockSize;
  }

  /**
   * The decoded header. If the log stores header and transactions together, also contains the transactions, which are
   * not decoded.
   */
  private get parts(): BlockPartsInBytes {
    this.knownParts ??= Reader.decode<BlockPartsInBytes>(
      this.entry.parts?.header ?? this.entry.block,
      BlockPartsInBytes,
    );
    return this.knownParts;
  }

  private get results(): readonly Uint8Array[] {
    this.knownResults ??= Reader.decode(this.entry.results, ResultParts).infos;
    return this.knownResults;
  }

  private readInternal(): readonly (readonly InternalTransaction[])[] {
    const { infos } = this;
    // Only smart contracts make internal transactions. A receipt of a smart contract has a contract address or used
    // energy.
    if (!infos.some(({ receipt, contractAddress }) => contractAddress.length > 0 || receipt?.energyUsageTotal))
      return [];
    const kept = this.keptInternal();
    const source = kept === undefined ? infos : TransactionRet.decode(kept).transactioninfo;
    return source.map(({ internalTransactions }) => internalTransactions);
  }
}

/** Decoder of `protocol.TransactionRet` that collects the results as bytes. */
class ResultParts {
  readonly infos: Uint8Array[] = [];
  $unknown: Uint8Array | undefined;

  static read(reader: Reader, end: number, parts: ResultParts): ResultParts {
    while (reader.position < end) {
      const tag = reader.tag();
      if (tag === RESULTS_TAGS.transactioninfo) parts.infos.push(reader.bytes());
      else reader.skip(tag);
    }
    return parts;
  }
}
