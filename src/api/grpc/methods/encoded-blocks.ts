import { type MessageType, tagOf } from '../../../codec/descriptor.js';
import {
  Block,
  BlockExtention,
  BlockHeader,
  BlockList,
  BlockListExtention,
  Return,
  Transaction,
  TransactionExtention,
  TransactionInfo,
  TransactionInfoList,
} from '../../../codec/generated/messages.js';
import { Writer } from '../../../codec/writer.js';
import { itemAt, present } from '../../../primitives/assert.js';
import { copyBytes } from '../../../primitives/bytes.js';
import type { StoredBlock } from '../../../state-transition/block/stored-block.js';
import type { StoredTransaction } from '../../../state-transition/block/stored-transaction.js';
import { EncodedReply } from '../grpc-method.js';

const SUCCESS = Return.encode(Object.assign(new Return(), { result: true }));

/** Returns a block: `protocol.Block`. */
export function blockReply(block: StoredBlock | undefined): EncodedReply<Block> | undefined {
  return block && new EncodedReply(Block, block.canonicalBytes);
}

/** Returns several blocks: `protocol.BlockList`. Encodes each block before the next one is read. */
export function blockListReply(blocks: Iterable<StoredBlock>): EncodedReply<BlockList> {
  return listReply(
    BlockList,
    'block',
    Array.from(blocks, ({ canonicalBytes }) => canonicalBytes),
  );
}

/**
 * Returns a block with the ids of its transactions: `protocol.BlockExtention`. Copies the stored bytes of the
 * transactions. Decoding and encoding the transactions would take many times as long.
 * Reference: RpcApiService.block2Extention.
 */
export function blockWithIdsReply(block: StoredBlock | undefined): EncodedReply<BlockExtention> | undefined {
  return block && new EncodedReply(BlockExtention, extentionBytes(block, block.canonicalTransactions));
}

/** Returns the header of a block with the block id: `protocol.BlockExtention` without transactions. */
export function headerWithIdReply(block: StoredBlock): EncodedReply<BlockExtention> {
  return new EncodedReply(BlockExtention, extentionBytes(block, []));
}

/** Returns several blocks: `protocol.BlockListExtention`. Encodes each block before the next one is read. */
export function blockListWithIdsReply(blocks: Iterable<StoredBlock>): EncodedReply<BlockListExtention> {
  const items = Array.from(blocks, (block) => extentionBytes(block, block.canonicalTransactions));
  return listReply(BlockListExtention, 'block', items);
}

/** Returns the receipts of a block (`protocol.TransactionInfoList`). The message is empty if there is no block. */
export function receiptsReply(block: StoredBlock | undefined): EncodedReply<TransactionInfoList> {
  return listReply(TransactionInfoList, 'transactionInfo', block?.canonicalReceipts ?? []);
}

/** Returns a transaction: `protocol.Transaction`. */
export function transactionReply(stored: StoredTransaction | undefined): EncodedReply<Transaction> | undefined {
  // Copies the bytes. A slice would retain the memory of all transactions that were decompressed together with this
  // one.
  return stored && new EncodedReply(Transaction, copyBytes(stored.canonicalBytes));
}

/**
 * Returns the receipt of a transaction: `protocol.TransactionInfo`. Returns undefined for a transaction of the genesis
 * block, because such a transaction has no receipt.
 */
export function receiptReply(stored: StoredTransaction | undefined): EncodedReply<TransactionInfo> | undefined {
  const bytes = stored?.canonicalReceipt;
  return bytes && new EncodedReply(TransactionInfo, copyBytes(bytes));
}

function listReply<List extends object>(
  type: MessageType<List>,
  field: keyof List,
  items: readonly Uint8Array[],
): EncodedReply<List> {
  const tag = fieldTag(type, field);
  const write = (writer: Writer): void => {
    for (const bytes of items) writer.bytes(tag, bytes);
  };
  return new EncodedReply(type, Writer.bytesOf(write));
}

function extentionBytes(block: StoredBlock, transactions: readonly Uint8Array[]): Uint8Array {
  const { id: blockid } = block;
  const header = BlockHeader.encode(block.blockHeader ?? new BlockHeader());
  const ids = transactions.map((_, index) => block.transactionId(index));
  return Writer.bytesOf((writer) => {
    for (const [index, bytes] of transactions.entries()) {
      writer.begin(TAGS.transactions);
      writer.bytes(TAGS.transaction, bytes);
      writer.bytes(TAGS.txid, itemAt(ids, index));
      writer.bytes(TAGS.result, SUCCESS);
      writer.end();
    }
    writer.bytes(TAGS.blockHeader, header);
    writer.bytes(TAGS.blockid, blockid);
  });
}

const TAGS = {
  transactions: fieldTag(BlockExtention, 'transactions'),
  blockHeader: fieldTag(BlockExtention, 'blockHeader'),
  blockid: fieldTag(BlockExtention, 'blockid'),
  transaction: fieldTag(TransactionExtention, 'transaction'),
  txid: fieldTag(TransactionExtention, 'txid'),
  result: fieldTag(TransactionExtention, 'result'),
};

function fieldTag<Message extends object>(type: MessageType<Message>, name: keyof Message): number {
  return tagOf(
    present(
      type.$fields.find(({ prop }) => prop === name),
      'the schema has the field',
    ),
  );
}
