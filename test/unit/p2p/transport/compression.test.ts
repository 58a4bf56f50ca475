import snappy from 'snappy';
import t from 'tap';
import { P2pCompressMessage } from '../../../../src/codec/generated/messages.js';
import { unwrapMessage, wrapMessage } from '../../../../src/p2p/transport/compression.js';

const BYTES_MAX = 1 << 20;
const joined = (body: Uint8Array) => Buffer.concat([...wrapMessage(body)]);

t.test('compresses a message only if it becomes shorter', async (t) => {
  for (const body of [new Uint8Array(0), Uint8Array.of(1), Buffer.from('ab'.repeat(500)), new Uint8Array(100_000)]) {
    const wrapped = joined(body);
    t.same([...unwrapMessage(wrapped, BYTES_MAX)], [...body], `${body.length}`);
    t.ok(wrapped.length <= body.length + 8);
  }
  t.ok(joined(new Uint8Array(100_000)).length < 10_000);
});

t.test('rejects an oversized or malformed snappy block before decompression', async (t) => {
  const wrap = (data: Uint8Array) =>
    P2pCompressMessage.encode(Object.assign(new P2pCompressMessage(), { type: 1, data }));
  const bomb = wrap(snappy.compressSync(Buffer.alloc(BYTES_MAX)));
  t.throws(() => unwrapMessage(bomb, BYTES_MAX), { code: 'BIG_MESSAGE' });
  t.equal(unwrapMessage(bomb, BYTES_MAX + 1).length, BYTES_MAX);
  for (const data of [Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff), Uint8Array.of(9, 1), new Uint8Array(0)]) {
    t.throws(() => unwrapMessage(wrap(data), BYTES_MAX), { code: 'CORRUPTED_FRAME' });
  }
});
