import t from 'tap';
import {
  concurrentOrder,
  JavaHashMap,
  javaHashOfBytes,
  javaHashOfHex,
  javaHashOfText,
} from '../../../src/java-compat/hash-map.js';

t.test('computes the hash codes of Java', async (t) => {
  t.equal(javaHashOfText('hello'), 99162322);
  t.equal(javaHashOfBytes(Uint8Array.of(1, 2, 255)), 30813);
  t.equal(javaHashOfHex(''), 1);
});

t.test('iterates by bucket, then by insertion, and doubles the table', async (t) => {
  const map = new JavaHashMap<number, string>((key) => key);
  for (const key of [17, 1, 33, 0]) map.set(key, 'x');
  t.same(
    map.entries().map(([key]) => key),
    [0, 17, 1, 33],
  );
  for (let key = 100; key < 110; key++) map.set(key, 'y');
  t.same(
    map
      .entries()
      .map(([key]) => key)
      .slice(0, 4),
    [0, 1, 33, 100],
  );
});

t.test('doubles a concurrent map at three quarters and reverses the bucket before its last run', async (t) => {
  const order = (keys: readonly number[]): number[] => concurrentOrder(keys, (key) => key);
  t.same(order([17, 1, 33, 0, 1]), [0, 17, 1, 33]);
  const others = [2, 3, 4, 5, 6, 7, 8];
  // With 11 keys, the map has 16 buckets. The twelfth key doubles this number to 32. Then key 49, the last key of its
  // bucket, moves to the new bucket 17.
  t.same(order([1, 33, 65, 49, ...others]), [1, 33, 65, 49, ...others]);
  t.same(order([1, 33, 65, 49, ...others, 9]), [65, 33, 1, ...others, 9, 49]);
  t.same(order([1, 17, 33, 65, ...others, 9]), [1, 33, 65, ...others, 9, 17]);
});
