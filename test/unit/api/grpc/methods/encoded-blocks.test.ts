import t from 'tap';
import {
  blockListReply,
  blockListWithIdsReply,
  blockReply,
  blockWithIdsReply,
  headerWithIdReply,
  receiptsReply,
} from '../../../../../src/api/grpc/methods/encoded-blocks.js';
import { transactionExtention } from '../../../../../src/api/grpc/methods/reply-messages.js';
import {
  Block,
  BlockExtention,
  BlockHeader,
  BlockHeaderRaw,
  BlockList,
  BlockListExtention,
  Transaction,
  TransactionInfo,
  TransactionInfoList,
  TransactionRaw,
  TransactionRet,
} from '../../../../../src/codec/generated/messages.js';
import { concatBytes } from '../../../../../src/primitives/bytes.js';
import { blockId } from '../../../../../src/state-transition/block/encoded-block.js';
import { StoredBlock } from '../../../../../src/state-transition/block/stored-block.js';

const transaction = (feeLimit: bigint, signature = [new Uint8Array(65).fill(7)]): Transaction =>
  Object.assign(new Transaction(), { rawData: Object.assign(new TransactionRaw(), { feeLimit }), signature });
const message = Object.assign(new Block(), {
  blockHeader: Object.assign(new BlockHeader(), {
    rawData: Object.assign(new BlockHeaderRaw(), { number: 300n, parentHash: new Uint8Array(32).fill(3) }),
    witnessSignature: new Uint8Array(65).fill(1),
  }),
  transactions: [transaction(1n), transaction(2n ** 40n, []), new Transaction()],
});
const bytes = Block.encode(message);
const receipts = [5n, 6n].map((fee) =>
  Object.assign(new TransactionInfo(), { fee, contractResult: [new Uint8Array(0)] }),
);
const results = TransactionRet.encode(
  Object.assign(new TransactionRet(), { blockNumber: 300n, transactioninfo: receipts }),
);

/** Builds the expected message from a decoded block. */
function decodedExtention(block: Block): BlockExtention {
  const blockHeader = block.blockHeader ?? new BlockHeader();
  return Object.assign(new BlockExtention(), {
    blockHeader,
    blockid: blockId(blockHeader.rawData ?? new BlockHeaderRaw()),
    transactions: block.transactions.map(transactionExtention),
  });
}

const expected = (block: Uint8Array): Uint8Array => BlockExtention.encode(decodedExtention(Block.decode(block)));

t.test('encodes a stored block like the decoded message', async (t) => {
  t.same(blockWithIdsReply(new StoredBlock({ block: bytes, results }))?.bytes, expected(bytes));
  t.equal(blockWithIdsReply(undefined), undefined);
  t.same(blockReply(new StoredBlock({ block: bytes, results }))?.bytes, bytes);
  t.equal(blockReply(undefined), undefined);
});

t.test('encodes the transactions of a block canonically', async (t) => {
  // Raw transaction with two fee limits. The varint of the second one is longer than necessary. An unknown field
  // follows.
  const raw = Uint8Array.of(144, 1, 1, 144, 1, 0x82, 0x00, 160, 31, 9);
  const odd = concatBytes(Uint8Array.of(18, 1, 4, 10, raw.length), raw);
  const block = concatBytes(Uint8Array.of(10, odd.length), odd, bytes);
  const stored = new StoredBlock({ block, results });
  t.same(blockReply(stored)?.bytes, Block.encode(Block.decode(block)));
  const reply = blockWithIdsReply(stored);
  t.same(reply?.bytes, expected(block));
  const [first] = BlockExtention.decode(reply!.bytes).transactions;
  t.equal(first?.transaction?.rawData?.feeLimit, 2n);
  t.equal(first?.txid.length, 32);
});

t.test('encodes a block without header and transactions', async (t) => {
  t.same(blockWithIdsReply(new StoredBlock({ block: new Uint8Array(0), results }))?.bytes, expected(new Uint8Array(0)));
});

t.test('encodes lists of blocks and of receipts', async (t) => {
  const stored = new StoredBlock({ block: bytes, results });
  const list = Object.assign(new BlockListExtention(), { block: [message, message].map(decodedExtention) });
  t.same(blockListWithIdsReply([stored, stored]).bytes, BlockListExtention.encode(list));
  const blocks = Object.assign(new BlockList(), { block: [message, message] });
  t.same(blockListReply([stored, stored]).bytes, BlockList.encode(blocks));
  const header = Object.assign(new Block(), { blockHeader: message.blockHeader });
  t.same(headerWithIdReply(stored).bytes, BlockExtention.encode(decodedExtention(header)));
  const infos = Object.assign(new TransactionInfoList(), { transactionInfo: receipts });
  t.same(receiptsReply(stored).bytes, TransactionInfoList.encode(infos));
  t.same(receiptsReply(undefined).bytes, new Uint8Array(0));
});
