import t from 'tap';
import { FieldScanner } from '../../../src/codec/field-scanner.js';

function* fieldsOf(bytes: Uint8Array): Generator<Pick<FieldScanner, 'tag' | 'start' | 'end'>> {
  const scanner = new FieldScanner(bytes);
  while (scanner.next()) yield { tag: scanner.tag, start: scanner.start, end: scanner.end };
}

/** Returns the tags of the fields in order, each with its content. */
function contentsOf(hex: string): (readonly [tag: number, content: string])[] {
  const bytes = Buffer.from(hex, 'hex');
  return [...fieldsOf(bytes)].map(({ tag, start, end }) => [tag, bytes.toString('hex', start, end)]);
}

t.test('reads fields of every wire type, and groups by their start and end', async (t) => {
  t.same(contentsOf('0896011200' + '1d01020304' + '210102030405060708' + '2b' + '0801' + '2c' + '3203aabbcc'), [
    [0x08, '9601'],
    [0x12, ''],
    [0x1d, '01020304'],
    [0x21, '0102030405060708'],
    [0x2b, ''],
    [0x08, '01'],
    [0x2c, ''],
    [0x32, 'aabbcc'],
  ]);
});

t.test('stops at malformed fields', async (t) => {
  for (const rest of ['', '12', '1203aabb', '80', '0880', '1d010203', '0e', `08${'ff'.repeat(10)}01`, '12ffffffff0f'])
    t.same(contentsOf(`0801${rest}`), [[0x08, '01']], rest);
});

t.test('uses the lowest 32 bits of tags and lengths, like the decoder', async (t) => {
  t.same(contentsOf('888080801001'), [[0x08, '01']]);
  t.same(contentsOf('128180808010aa'), [[0x12, 'aa']]);
});

t.test('scans a range of the bytes as a message', async (t) => {
  const scanner = new FieldScanner(Buffer.from('0a0208010802', 'hex'));
  t.ok(scanner.next());
  scanner.enter(scanner.start, scanner.end);
  t.ok(scanner.next());
  t.equal(scanner.tag, 8);
  t.notOk(scanner.next());
});

t.test('finds fields of every wire type', async (t) => {
  const body = Uint8Array.of(
    0x08,
    0x96,
    0x01,
    0x11,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0x1a,
    2,
    7,
    7,
    0x25,
    0,
    0,
    0,
    0,
    0x2b,
    0x2c,
  );
  t.same(
    [...fieldsOf(body)].map(({ tag, start, end }) => [tag >> 3, tag & 7, end - start]),
    [
      [1, 0, 2],
      [2, 1, 8],
      [3, 2, 2],
      [4, 5, 4],
      [5, 3, 0],
      [5, 4, 0],
    ],
  );
  t.same([...fieldsOf(Uint8Array.of(0x0a, 5, 1))], [], 'truncated field');
  t.same([...fieldsOf(Uint8Array.of(0x07))], [], 'unknown wire type');
});
