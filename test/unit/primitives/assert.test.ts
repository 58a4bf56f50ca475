import t from 'tap';
import { itemAt, present } from '../../../src/primitives/assert.js';

t.test('returns an element inside a list and throws outside of it', async (t) => {
  t.equal(itemAt(['a', 'b'], 1), 'b');
  t.equal(itemAt(Uint8Array.of(0), 0), 0, 'zero is an element');
  for (const index of [-1, 2, Number.NaN]) {
    t.throws(() => itemAt(['a', 'b'], index), { name: 'AssertionError', message: `no element at ${index} of 2` });
  }
});

t.test('returns a defined value, and throws with the broken guarantee otherwise', async (t) => {
  for (const value of [0, '', false]) t.equal(present(value, 'the value is defined'), value);
  for (const value of [undefined, null]) {
    t.throws(() => present(value, 'a block has a header'), { message: 'missing value, although a block has a header' });
  }
});
