import t from 'tap';
import { NumberMessage, Transaction } from '../../../src/codec/generated/messages.js';
import { fromHex, toHex } from '../../../src/primitives/bytes.js';

/** Decodes a message that has only unknown fields and encodes it again. Returns the bytes in hex. */
const again = (hex: string): string => toHex(NumberMessage.encode(NumberMessage.decode(fromHex(hex))));

t.test('writes unknown fields in the order and form of the Java library', async (t) => {
  const cases: readonly (readonly [name: string, read: string, written: string])[] = [
    ['ascending numbers', '1801' + '1001', '1001' + '1801'],
    [
      'one field number with all wire types: varint, fixed32, fixed64, bytes',
      '1200' + '110000000000000000' + '1500000000' + '1001',
      '1001' + '1500000000' + '110000000000000000' + '1200',
    ],
    ['fields with equal tags keep their order', '1002' + '1001', '1002' + '1001'],
    ['varints in minimal form', '10818000', '1001'],
    ['a tenth byte with all bits set is reduced to one bit', '10ffffffffffffffffff7f', '10ffffffffffffffffff01'],
    ['a tenth byte of zero gets this bit too', '1080808080808080808000', '1080808080808080808001'],
    ['lengths and tags in minimal form', '9280008100aa', '1201aa'],
    ['fields inside of a group in ascending order', '131801100114', '131001180114'],
    ['the end of a group with the highest number', 'fbffffff0ffcffffff0f', 'fbffffff0ffcffffff0f'],
    ['groups in groups', '13131a00180114100114', '131001' + '1318011a0014' + '14'],
  ];
  for (const [name, read, written] of cases) t.equal(again(read), written, name);
});

t.test('keeps the unknown fields of each part of a message', async (t) => {
  const parts = fromHex('0a03a00601' + '0a03a00602');
  t.equal(toHex(Transaction.encode(Transaction.decode(parts))), '0a06a00601a00602');
});

t.test('reads millions of unknown fields in nested groups in time proportional to size', async (t) => {
  const many = Buffer.alloc(2_000_000);
  for (let at = 0; at < many.length; at += 2) many[at] = at % 4 === 0 ? 0x18 : 0x10;
  t.equal(NumberMessage.encode(NumberMessage.decode(many)).length, many.length);
  const deep = Buffer.concat([Buffer.alloc(99, 0x13), many, Buffer.alloc(99, 0x14)]);
  t.equal(NumberMessage.encode(NumberMessage.decode(deep)).length, deep.length);
  const part = fromHex('0a021001');
  const merged = Buffer.concat(Array.from({ length: 200_000 }, () => part));
  t.ok(Transaction.encode(Transaction.decode(merged)).length > 400_000);
});
