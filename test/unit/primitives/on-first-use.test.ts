import t from 'tap';
import { onFirstUse, onFirstUseOf } from '../../../src/primitives/on-first-use.js';

t.test('creates a value at its first use, once', async (t) => {
  let count = 0;
  const thing = onFirstUse(() => ({ number: ++count }));
  t.equal(count, 0);
  t.equal(thing(), thing());
  t.equal(thing().number, 1);
});

t.test('retries after a failed creation', async (t) => {
  let isBroken = true;
  const thing = onFirstUse(() => {
    if (isBroken) throw new Error('not yet');
    return { number: 1 };
  });
  t.throws(thing, { message: 'not yet' });
  isBroken = false;
  t.equal(thing().number, 1);
});

t.test('creates one value for each object, once', async (t) => {
  let count = 0;
  const numberOf = onFirstUseOf((_: object) => ({ number: ++count }));
  const [a, b] = [{}, {}];
  t.equal(numberOf(a), numberOf(a));
  t.notSame(numberOf(a), numberOf(b));
  t.equal(count, 2);
});
