import t from 'tap';
import { javaSort } from '../../../src/java-compat/sort.js';

/** Returns pseudo-random numbers with a fixed seed. */
function numbers(count: number, below: number): number[] {
  let seed = count * 31 + below;
  return Array.from({ length: count }, () => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % below;
  });
}

t.test('sorts like a stable sort if the comparison is consistent', async (t) => {
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

t.test('sorts ordered and reversed input in runs', async (t) => {
  const rising = Array.from({ length: 500 }, (_, at) => at);
  const sawtooth = [...rising, ...rising.map((at) => at + 250), ...rising.toReversed(), ...rising];
  const expected = sawtooth.toSorted((a, b) => a - b);
  t.same(
    javaSort([...sawtooth], (a, b) => a - b),
    expected,
  );
  t.same(
    javaSort(rising.toReversed(), (a, b) => a - b),
    rising,
  );
});

// Recorded from OpenJDK 17: Arrays.sort with the same keys and the same contradictory comparison. The hash is over the
// sorted positions.
const contradictory: readonly (readonly [count: number, below: number, hash: number | undefined])[] = [
  [40, 2, undefined],
  [40, 5, 990938506],
  [40, 50, 177623140],
  [64, 5, undefined],
  [64, 50, 389874810],
  [64, 1000, -1507662946],
  [100, 2, -1803286072],
  [100, 5, undefined],
  [100, 50, 523626634],
  [333, 50, -987733572],
  [1000, 2, 940779662],
  [1000, 50, undefined],
  [1000, 1000, 1786164292],
  [5000, 2, undefined],
  [5000, 1000, 796692872],
];

t.test('sorts like Java and reports an inconsistent comparison', async (t) => {
  for (const [count, below, expected] of contradictory) {
    const keys = numbers(count, below);
    const positions = keys.map((_, at) => at);
    let hash: number | undefined;
    try {
      javaSort(positions, (a, b) => (keys[a]! <= keys[b]! ? 1 : -1));
      hash = positions.reduce((all, at) => (Math.imul(all, 31) + at) | 0, 0);
    } catch (error) {
      t.match(error, { javaClass: 'java.lang.IllegalArgumentException' });
    }
    t.equal(hash, expected, `${count} below ${below}`);
  }
});
