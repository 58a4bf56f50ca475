import t from 'tap';
import { findMisspelling, intendedWord } from '../../../src/primitives/nearest-word.js';

const KNOWN = ['from', 'to', 'gasLimit', 'data'];

t.test('finds the known name that a name misspells', async (t) => {
  t.same(findMisspelling(['hash', 'data', 'gaslimits'], KNOWN), { name: 'gaslimits', intended: 'gasLimit' });
  t.equal(findMisspelling(['hash', 'transactionIndex', 'r'], KNOWN), undefined);
  t.equal(findMisspelling(['dta'], []), undefined);
  t.equal(intendedWord('frm', KNOWN, 1), 'from');
  t.equal(intendedWord('fm', KNOWN, 1), undefined);
});

t.test('compares a limited number of names', async (t) => {
  let read = 0;
  function* names(): Generator<string> {
    for (; ; read++) yield `unknown-${read}`;
  }
  t.equal(findMisspelling(names(), KNOWN), undefined);
  t.equal(read, 64);
});

t.test('does not compare words whose lengths differ too much', async (t) => {
  const candidate = Object.assign(Object('data'), { toLowerCase: () => t.fail('compared') }) as string;
  t.equal(intendedWord('x'.repeat(100), [candidate], 3), undefined);
});
