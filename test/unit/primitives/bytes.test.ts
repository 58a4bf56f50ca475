import t from 'tap';
import { copyPart, toUtf8, utf8, varint } from '../../../src/primitives/bytes.js';

t.test('copies a part of any length', async (t) => {
  const bytes = Uint8Array.from({ length: 10_000 }, (_, at) => at % 251);
  for (const [from, to] of [
    [0, 0],
    [5, 69],
    [5, 70],
    [1, 4097],
    [0, 10_000],
  ] as const) {
    const copy = copyPart(bytes, from, to);
    t.same(copy, bytes.slice(from, to), `${from} to ${to}`);
    t.equal(copy.constructor, Uint8Array);
    copy.fill(255);
    t.notOk(bytes.includes(255), 'the source is unchanged');
  }
  t.same(copyPart(Buffer.from('buffer'), 1, 3), Uint8Array.from(Buffer.from('uf')), 'part of a Buffer');
  t.throws(() => copyPart(bytes, 9_999, 10_001), RangeError);
});

t.test('encodes an unpaired surrogate as a question mark like Java', async (t) => {
  t.same(Buffer.from(utf8('a\ud83db\ude42🙂é')).toString(), 'a?b?🙂é');
});

t.test('decodes the bytes of an unpaired surrogate as one replacement character like Java', async (t) => {
  for (const [hex, text] of [
    ['61eda08062', 'a\ufffdb'],
    ['edbfbfeda080', '\ufffd\ufffd'],
    ['eda062', '\ufffdb'],
    ['ed9fbf', '\ud7ff'],
    ['e08062', '\ufffd\ufffdb'],
    ['f180c3a9', '\ufffdé'],
    ['f888808080', '\ufffd'.repeat(5)],
  ] as const) {
    t.equal(toUtf8(Buffer.from(hex, 'hex')), text, hex);
  }
});

t.test('encodes a varint of up to eight bytes', async (t) => {
  for (const [value, hex] of [
    [0, '00'],
    [127, '7f'],
    [128, '8001'],
    [300, 'ac02'],
    [2 ** 31, '8080808008'],
    [Number.MAX_SAFE_INTEGER, 'ffffffffffffff0f'],
  ] as const)
    t.equal(Buffer.from(varint(value)).toString('hex'), hex, `${value}`);
});
