import t from 'tap';
import {
  Block,
  BlockHeader,
  BlockHeaderRaw,
  Transaction,
  TransactionRaw,
} from '../../../../src/codec/generated/messages.js';
import { sha256 } from '../../../../src/crypto/hash.js';
import { concatBytes, toHex } from '../../../../src/primitives/bytes.js';
import { decodeBlock, hasRightMerkleRoot, merkleRoot } from '../../../../src/state-transition/block/decoded-block.js';
import { headerHash } from '../../../../src/state-transition/block/encoded-block.js';
import { bytesOf } from '../../../support/vm/state-with.js';

const transaction = (data: number) =>
  Object.assign(new Transaction(), { rawData: Object.assign(new TransactionRaw(), { data: Uint8Array.of(data) }) });
const leaf = (data: number) => sha256(Transaction.encode(transaction(data)));

function blockOf(raw: Partial<BlockHeaderRaw>, transactions: Transaction[] = [], witnessSignature = new Uint8Array(0)) {
  const rawData = Object.assign(new BlockHeaderRaw(), raw);
  const blockHeader = Object.assign(new BlockHeader(), { rawData, witnessSignature });
  return Block.encode(Object.assign(new Block(), { blockHeader, transactions }));
}

t.test('builds the block id from its height and the tail of its header hash', async (t) => {
  const raw = { number: 258n, timestamp: 3000n, witnessAddress: bytesOf(1), parentHash: new Uint8Array(32) };
  const block = decodeBlock(blockOf(raw, [transaction(1)], Uint8Array.of(1)));
  t.equal(block.idHex.slice(0, 16), '0000000000000102');
  t.equal(block.idHex.slice(16), toHex(headerHash(block.raw)).slice(16));
  t.same([block.number, block.timeMs, block.isSigned, block.transactions.length], [258, 3000, true, 1]);
  const empty = decodeBlock(new Uint8Array(0));
  t.same([empty.number, empty.isSigned, empty.transactions.length], [0, false, 0]);
});

t.test('hashes pairs into the root and passes an odd node up', async (t) => {
  const pair = (a: Uint8Array, b: Uint8Array) => sha256(concatBytes(a, b));
  const [a, b, c] = [leaf(1), leaf(2), leaf(3)];
  t.same(merkleRoot([]), new Uint8Array(32));
  t.same(merkleRoot([transaction(1)]), a);
  t.same(merkleRoot([transaction(1), transaction(2)]), pair(a, b));
  t.same(merkleRoot([transaction(1), transaction(2), transaction(3)]), pair(pair(a, b), c));
  const txTrieRoot = merkleRoot([transaction(1)]);
  t.ok(hasRightMerkleRoot(decodeBlock(blockOf({ txTrieRoot }, [transaction(1)]))));
  t.notOk(hasRightMerkleRoot(decodeBlock(blockOf({ txTrieRoot }, [transaction(2)]))));
});
