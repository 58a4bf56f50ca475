import type { ReceiptFigures } from '../../codec/block-figures.js';
import type { ReceiptSum } from '../../codec/block-parts.js';
import { Block, type TransactionInfo } from '../../codec/generated/messages.js';
import { itemAt, present } from '../../primitives/assert.js';
import { type DecodedBlock, sumsOfBlock } from '../../state-transition/block/decoded-block.js';
import { StoredBlock } from '../../state-transition/block/stored-block.js';
import type { ShownTransaction } from '../../state-transition/transaction.js';
import { shownTransaction } from '../../state-transition/transactions/decode-transaction.js';
import type { ChainView, StoredBytes } from '../context/api-context.js';

const IN_BLOCK = 'the index is below the count';

/** The block fields that log results need, and the receipts of the block's transactions. */
export interface LoggedBlock {
  readonly block: Pick<DecodedBlock, 'id' | 'number'>;
  readonly infos: readonly TransactionInfo[];
}

/**
 * A block with the receipts of its transactions. If the block is from the block log, each part is decoded on first
 * access.
 */
export interface BlockWithReceipts extends LoggedBlock {
  readonly block: Pick<DecodedBlock, 'id' | 'number' | 'raw'>;
  /** One receipt per transaction; empty for genesis, and for a block that was stored without receipts. */
  readonly infos: readonly TransactionInfo[];
  readonly transactionCount: number;
  /** Number of receipts; 0 for genesis, and for a block that was stored without receipts. */
  readonly receiptCount: number;
  readonly decoded: DecodedBlock;
  /** Stored size of block and receipts, in bytes. */
  readonly bytes: number;
  /** Encoded size of the block, in bytes. */
  readonly size: number;
  /** Sum of the fee limits of the transactions in SUN. Overflows like a Java long. */
  readonly feeLimits: bigint;
  /** Energy used and number of logs of each transaction, one entry per receipt. */
  readonly figures: readonly Pick<ReceiptFigures, 'energy' | 'logs'>[];
  info(index: number): TransactionInfo | undefined;
  transaction(index: number): ShownTransaction | undefined;
  transactionId(index: number): Uint8Array;
  /** Returns the total energy and number of logs of all receipts before the receipt at `index`. */
  sumBefore(index: number): ReceiptSum;
}

/** Returns the block at a height that must exist, with its receipts. Decodes each part on first access. */
export function contentOf(blocks: Pick<ChainView, 'block'>, number: number): BlockWithReceipts {
  return present(storedContent(blocks, number), 'this height has a block');
}

/**
 * Returns the block at a height with its receipts; undefined if the block is not stored. Decodes each part on first
 * access.
 */
export function storedContent(blocks: Pick<ChainView, 'block'>, number: number): BlockWithReceipts | undefined {
  const entry = blocks.block(number);
  return entry && contentOfEntry(entry);
}

/** Returns the block of an entry of the block log, with its receipts. Decodes each part on first access. */
export function contentOfEntry(entry: StoredBytes): BlockWithReceipts {
  const stored = new StoredBlock(entry);
  return {
    get block() {
      return { id: stored.id, number: stored.number, raw: stored.header };
    },
    get transactionCount() {
      return stored.transactionCount;
    },
    get infos() {
      return stored.infos;
    },
    get receiptCount() {
      return stored.receiptCount;
    },
    get decoded() {
      return stored.decoded;
    },
    get bytes() {
      return stored.blockBytes + stored.resultBytes;
    },
    get size() {
      return stored.encodedSize;
    },
    get feeLimits() {
      return stored.feeLimits;
    },
    get figures() {
      return stored.receiptFigures;
    },
    info: (index) => stored.infoAt(index),
    transaction: (index) => stored.transactionAt(index)?.shown,
    transactionId: (index) => present(stored.transactionAt(index), IN_BLOCK).id,
    sumBefore: (index) => stored.sumBefore(index),
  };
}

/** Converts a block that is already decoded to a block with receipts. */
export function contentOfDecoded(decoded: DecodedBlock, infos: readonly TransactionInfo[]): BlockWithReceipts {
  const { transactions } = decoded;
  return {
    block: decoded,
    decoded,
    infos,
    transactionCount: transactions.length,
    receiptCount: infos.length,
    // Size limits do not apply to simulated blocks, because the thread that created them also renders them.
    bytes: 0,
    get size() {
      return Block.encode(decoded.message).length;
    },
    get feeLimits() {
      return sumsOfBlock(decoded).feeLimits;
    },
    get figures() {
      return infos.map((info) => ({ energy: energyOf(info), logs: info.log.length }));
    },
    info: (index) => infos[index],
    transaction: (index) => {
      const transaction = transactions[index];
      return transaction && shownTransaction(transaction);
    },
    transactionId: (index) => itemAt(transactions, index).id,
    sumBefore: (index) => sumOf(infos.slice(0, index)),
  };
}

function sumOf(infos: readonly TransactionInfo[]): ReceiptSum {
  return {
    energy: infos.reduce((sum, info) => sum + energyOf(info), 0n),
    logs: infos.reduce((sum, { log }) => sum + log.length, 0),
  };
}

/** Returns the energy that a transaction used, from all sources; 0 without a receipt. */
export function energyOf(info: TransactionInfo | undefined): bigint {
  return info?.receipt?.energyUsageTotal ?? 0n;
}
