import t from 'tap';
import {
  Block,
  BlockHeader,
  BlockHeaderRaw,
  Transaction,
  TransactionRaw,
} from '../../../../src/codec/generated/messages.js';
import { checkLargeBlock } from '../../../../src/p2p/wire/large-block.js';
import { decodeBlock } from '../../../../src/state-transition/block/decoded-block.js';

const rawData = Object.assign(new TransactionRaw(), { data: Buffer.alloc(1000, 1) });
const transaction = Object.assign(new Transaction(), { rawData });
const rawHeader = Object.assign(new BlockHeaderRaw(), { number: 300n, timestamp: 3n });
const blockHeader = Object.assign(new BlockHeader(), { rawData: rawHeader, witnessSignature: Buffer.alloc(65, 7) });
const blockOf = (transactions: number): Uint8Array =>
  Block.encode(Object.assign(new Block(), { blockHeader, transactions: new Array(transactions).fill(transaction) }));
const { idHex } = decodeBlock(blockOf(1));

/** Returns the block ids for which the node checks if the block was requested. */
function checkedIds(body: Uint8Array, isRequested = true): string[] {
  const ids: string[] = [];
  const steps = checkLargeBlock(body, (id) => {
    ids.push(id);
    return isRequested;
  });
  Array.from(steps);
  return ids;
}

t.test('finds a large block by its expected id', async (t) => {
  t.same(checkedIds(blockOf(10)), [], 'a small block is decoded at once');
  t.same(checkedIds(blockOf(1000)), [idHex]);
  const inParts = Buffer.concat([
    blockOf(1000),
    Block.encode(Object.assign(new Block(), { blockHeader: new BlockHeader() })),
  ]);
  t.equal(decodeBlock(inParts).idHex, idHex);
  t.same(checkedIds(inParts), [idHex], 'a header that is split into parts counts as one');
});

t.test('rejects an unrequested, too large or malformed block before decoding it', async (t) => {
  t.throws(() => checkedIds(blockOf(1000), false), { code: 'BAD_MESSAGE', message: /no request/ });
  t.throws(() => checkedIds(blockOf(2000)), { code: 'BAD_MESSAGE', message: /block too large/ });
  const empties = Buffer.alloc(200_000, '0a00', 'hex');
  t.throws(() => checkedIds(empties), { code: 'PARSE_MESSAGE_FAILED', message: /transaction too short: 0 bytes/ });
});

t.test('does not reject malformed protobuf, which the decoder does', async (t) => {
  const cut = blockOf(1000).subarray(0, -1);
  t.equal(checkedIds(cut).length, 1, 'the header is complete, although the block is not');
  t.throws(() => decodeBlock(cut), { code: 'PROTOBUF_ERROR' });
});
