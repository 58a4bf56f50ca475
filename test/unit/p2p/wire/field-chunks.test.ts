import t from 'tap';
import { Inventory } from '../../../../src/codec/generated/messages.js';
import { fieldChunks } from '../../../../src/p2p/wire/field-chunks.js';

const list = (count: number) =>
  Inventory.encode(
    Object.assign(new Inventory(), { type: 1, ids: Array.from({ length: count }, () => new Uint8Array(32)) }),
  );
const chunksOf = (body: Uint8Array, size?: number) => [...fieldChunks(body, size)].flatMap((chunk) => chunk ?? []);

t.test('splits a message between its fields', async (t) => {
  const body = list(100);
  const chunks = chunksOf(body, 200);
  t.ok(chunks.length > 10);
  t.same(Buffer.concat(chunks), Buffer.from(body));
  const ids = chunks.map((chunk) => Inventory.decode(chunk).ids.length).reduce((a, b) => a + b, 0);
  t.equal(ids, 100);
  t.same(chunksOf(new Uint8Array(0)), []);
});

t.test('passes malformed protobuf to the decoder in the last chunk', async (t) => {
  const body = Buffer.concat([list(20), Uint8Array.of(0x0a, 0xff)]);
  t.same(Buffer.concat(chunksOf(body, 100)), body);
});

t.test('rejects a field above the length limit', async (t) => {
  const long = Inventory.encode(Object.assign(new Inventory(), { ids: [new Uint8Array(1024 * 1024 + 1)] }));
  t.throws(() => chunksOf(long), { code: 'BAD_MESSAGE' });
});
