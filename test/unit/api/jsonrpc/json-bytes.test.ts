import t from 'tap';
import { JsonBytes } from '../../../../src/api/jsonrpc/json-bytes.js';
import { data } from '../../../../src/api/jsonrpc/quantities.js';

t.test('writes text and bytes in order, beyond the size of the first buffer', async (t) => {
  const expected: string[] = [];
  const text = new JsonBytes().build((out) => {
    for (let length = 0; length < 3000; length += 77) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 37 + length) & 0xff);
      out.ascii(length === 0 ? '[' : ',').data(bytes);
      expected.push(data(bytes));
    }
    out.ascii(']');
  });
  t.equal(text, JSON.stringify(expected));
});

t.test('a text contains nothing of an earlier text, even after an error or a long text', async (t) => {
  const bytes = new JsonBytes();
  t.equal(
    bytes.build(() => undefined),
    '',
  );
  const fails = (out: JsonBytes): void => {
    out.ascii('half of a text');
    throw new RangeError('no receipt');
  };
  t.throws(() => bytes.build(fails), RangeError);
  t.equal(bytes.build((out) => out.hex(new Uint8Array(2_000_000))).length, 4_000_000);
  t.equal(
    bytes.build((out) => out.ascii('x').hex(Uint8Array.of(0, 255, 16))),
    'x00ff10',
  );
});
