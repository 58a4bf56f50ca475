import { ReceiptFigures } from '../../codec/block-figures.js';
import { BLOCK_TAGS, RESULTS_TAGS } from '../../codec/block-tags.js';
import { ProtobufError, Reader } from '../../codec/reader.js';

/** Byte offsets of the transactions in an encoded block, and of the receipts in its encoded results. */
export interface EntryElements {
  /** End offset of each transaction in the encoded block, in bytes. The first transaction starts at offset 0. */
  readonly transactionEnds: readonly number[];
  /** Byte offset of the first receipt in the encoded results. */
  readonly receiptsAt: number;
  /** End offset of each receipt in the encoded results, in bytes. Empty if the entry has no receipts. */
  readonly receiptEnds: readonly number[];
  readonly figures: readonly ReceiptFigures[];
}

/**
 * Finds the transactions and receipts of an entry. Transactions must be the first fields of the block. Receipts must be
 * the last fields of the results, either one per transaction or none at all. Returns undefined for malformed data, and
 * for a block with another field order, which a peer may send.
 * @param block `protocol.Block`
 * @param results `protocol.TransactionRet`
 */
export function findElements(block: Uint8Array, results: Uint8Array, count: number): EntryElements | undefined {
  try {
    const { ends: transactionEnds, isOrdered } = Reader.decode<BlockElements>(block, BlockElements);
    const receipts = Reader.decode<ResultElements>(results, ResultElements);
    const receiptCount = results.length === 0 ? 0 : count;
    if (!isOrdered || !receipts.isOrdered) return undefined;
    if (transactionEnds.length !== count || receipts.ends.length !== receiptCount) return undefined;
    return { transactionEnds, receiptsAt: receipts.at, receiptEnds: receipts.ends, figures: receipts.figures };
  } catch (error) {
    if (error instanceof ProtobufError) return undefined;
    throw error;
  }
}

class BlockElements {
  readonly ends: number[] = [];
  isOrdered = true;
  $unknown: Uint8Array | undefined;

  static read(reader: Reader, end: number, block: BlockElements): BlockElements {
    let isRest = false;
    while (reader.position < end) {
      const tag = reader.tag();
      reader.skip(tag);
      if (tag !== BLOCK_TAGS.transactions) isRest = true;
      else if (isRest) block.isOrdered = false;
      else block.ends.push(reader.position);
    }
    return block;
  }
}

class ResultElements {
  at = 0;
  readonly ends: number[] = [];
  readonly figures: ReceiptFigures[] = [];
  isOrdered = true;
  $unknown: Uint8Array | undefined;

  static read(reader: Reader, end: number, results: ResultElements): ResultElements {
    while (reader.position < end) {
      const start = reader.position;
      const tag = reader.tag();
      if (tag !== RESULTS_TAGS.transactioninfo) {
        reader.skip(tag);
        if (results.ends.length > 0) results.isOrdered = false;
        continue;
      }
      if (results.ends.length === 0) results.at = start;
      results.figures.push(reader.message<ReceiptFigures>(ReceiptFigures));
      results.ends.push(reader.position);
    }
    return results;
  }
}
