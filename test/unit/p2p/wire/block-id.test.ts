import t from 'tap';
import { blockIdOf, blockIdOfHex, blockIdWith, hashHex } from '../../../../src/p2p/wire/block-id.js';
import { fromHex } from '../../../../src/primitives/bytes.js';

const hex = `${'00'.repeat(6)}0102${'ab'.repeat(24)}`;

t.test('encodes the height at the start of an id', async (t) => {
  t.same(blockIdOfHex(hex), { hex, number: 258 });
  t.same(blockIdOf(fromHex(hex)), { hex, number: 258 });
  t.same(blockIdWith(fromHex('ff'.repeat(32)), 258n), { hex: hex.slice(0, 16) + 'ff'.repeat(24), number: 258 });
});

t.test('rejects an id that is not 32 bytes long', async (t) => {
  for (const length of [0, 31, 33]) {
    t.throws(() => hashHex(new Uint8Array(length)), { code: 'PARSE_MESSAGE_FAILED' });
    t.throws(() => blockIdWith(new Uint8Array(length), 1n), { code: 'PARSE_MESSAGE_FAILED' });
  }
});
