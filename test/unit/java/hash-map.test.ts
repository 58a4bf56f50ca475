import t from 'tap';
import { JavaHashMap, javaHashOfBytes, javaHashOfHex, javaHashOfText } from '../../../src/java/hash-map.js';

t.test('hash codes are those of Java', async (t) => {
  t.equal(javaHashOfText('hello'), 99162322);
  t.equal(javaHashOfBytes(Uint8Array.of(1, 2, 255)), 30813);
  t.equal(javaHashOfHex(''), 1);
});

t.test('iteration is by bucket, inside a bucket by insertion, and the table doubles', async (t) => {
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
