import t from 'tap';
import { encodedOf, readEncodedBlock } from '../../../../src/state-transition/block/encoded-block.js';
import { blocksOf } from '../../../support/node/recorded-blocks.js';

const FOLDER = new URL('../../../golden/stake', import.meta.url).pathname;

t.test('reads the same header as the full block decoder', async (t) => {
  const recorded = blocksOf(FOLDER);
  t.ok(recorded.some(({ transactionCount }) => transactionCount > 1));
  for (const block of recorded) t.same(readEncodedBlock(block.bytes), encodedOf(block));
});

t.test('returns an empty header and the number of transactions for a block without a header', async (t) => {
  // Two transactions of one byte. The byte is 0x80, which looks like the start of a varint.
  const { transactionCount, number, parentIdHex } = readEncodedBlock(Uint8Array.of(10, 1, 0x80, 10, 1, 0x80));
  t.same([transactionCount, number, parentIdHex], [2, 0, '']);
});

t.test('rejects truncated fields', async (t) => {
  t.throws(() => readEncodedBlock(Uint8Array.of(10, 2, 0)), { code: 'PROTOBUF_ERROR' });
  t.throws(() => readEncodedBlock(Uint8Array.of(18, 2, 10, 5)), { code: 'PROTOBUF_ERROR' });
});
