import t from 'tap';
import { Inventory } from '../../../../src/codec/generated/messages.js';
import { fieldChunks } from '../../../../src/p2p/wire/field-chunks.js';
import { decodeItems } from '../../../../src/p2p/wire/messages.js';
import { bytesOf } from '../../../support/p2p/captures.js';

const ids = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, at) => Buffer.alloc(32, `${at}`.padStart(8)));
const inventory = (count: number): Uint8Array =>
  Inventory.encode(Object.assign(new Inventory(), { type: 1, ids: ids(count) }));
const chunks = (body: Uint8Array): Uint8Array[] => [...fieldChunks(body)].filter((chunk) => chunk !== undefined);

t.test('splits a long list between entries and joins it again', async (t) => {
  const body = inventory(10_000);
  const parts = chunks(body);
  t.ok(parts.length > 10, `${parts.length} parts`);
  t.ok(Buffer.concat(parts).equals(body));
  const { kind, ids: read } = decodeItems(body);
  t.equal(kind, 'block', 'the first part contains the kind');
  t.same(
    read,
    ids(10_000).map((id) => Buffer.from(id).toString('hex')),
  );
});

t.test('names the malformed part of a list', async (t) => {
  const whole = inventory(10_000);
  for (const [what, wrong] of [
    ['a truncated list', whole.subarray(0, -1)],
    ['an invalid wire type', Buffer.concat([whole, bytesOf('17')])],
    ['a group without an end', Buffer.concat([whole, bytesOf('1b0800')])],
    ['an end without a group', Buffer.concat([whole, bytesOf('1c')])],
    ['a field number of zero', Buffer.concat([whole, bytesOf('0001')])],
    ['a length of more than ten bytes', Buffer.concat([whole, bytesOf('12ffffffffffffffffffff01')])],
  ] as const) {
    const parts = chunks(wrong);
    t.ok(Buffer.concat(parts).equals(wrong), what);
    t.throws(() => decodeItems(wrong), { code: 'PROTOBUF_ERROR' }, what);
  }
  t.throws(() => decodeItems(Buffer.concat([whole, bytesOf('120161')])), { code: 'PARSE_MESSAGE_FAILED' });
});

t.test('skips unknown fields, including groups, within bounds', async (t) => {
  const group = Buffer.concat([bytesOf('1b'), Buffer.alloc(20_000, bytesOf('2000')), bytesOf('1c')]);
  const body = Buffer.concat([inventory(600), group, inventory(600)]);
  t.ok(Buffer.concat(chunks(body)).equals(body));
  t.equal(decodeItems(body).ids.length, 1200);
  const rests = [...fieldChunks(group)].filter((chunk) => chunk === undefined);
  t.ok(rests.length > 0, 'the reader also yields within a group');
  const long = Buffer.concat([bytesOf('1b'), Buffer.alloc(2 ** 20, bytesOf('2000')), bytesOf('1c')]);
  t.throws(() => chunks(long), { code: 'BAD_MESSAGE' });
});
