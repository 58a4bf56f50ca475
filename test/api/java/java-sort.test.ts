import t from 'tap';
import { javaSort } from '../../../src/api/java/java-sort.js';

/** Numbers that look random, the same in every run. */
function numbers(count: number, below: number): number[] {
  let seed = count * 31 + below;
  return Array.from({ length: count }, () => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % below;
  });
}

t.test('sorts like any stable sort where the comparison is consistent', async (t) => {
  for (const count of [0, 1, 2, 31, 32, 33, 64, 100, 1000, 5000]) {
    for (const below of [2, 10, 1_000_000]) {
      const items = numbers(count, below).map((key, at) => ({ key, at }));
      const expected = items.toSorted((a, b) => a.key - b.key);
      t.same(
        javaSort(items, (a, b) => a.key - b.key),
        expected,
        `${count} below ${below}`,
      );
    }
  }
});

t.test('sorts what is in order already, or in reverse, in runs', async (t) => {
  const rising = Array.from({ length: 500 }, (_, at) => at);
  const saw = [...rising, ...rising.map((at) => at + 250), ...rising.toReversed(), ...rising];
  const expected = saw.toSorted((a, b) => a - b);
  t.same(
    javaSort([...saw], (a, b) => a - b),
    expected,
  );
  t.same(
    javaSort(rising.toReversed(), (a, b) => a - b),
    rising,
  );
});

t.test('keeps all elements where the comparison contradicts itself, or says so', async (t) => {
  for (const count of [40, 100, 333]) {
    const items = numbers(count, 5);
    const expected = items.toSorted((a, b) => a - b);
    try {
      const sorted = javaSort([...items], (a, b) => (a <= b ? 1 : -1));
      t.same(
        sorted.toSorted((a, b) => a - b),
        expected,
      );
    } catch (error) {
      t.match(error, { javaClass: 'java.lang.IllegalArgumentException' });
    }
  }
});
