import t from 'tap';
import { BoundedCache } from '../../../src/p2p/bounded-cache.js';

t.test('evicts the entries written first', async (t) => {
  const cache = new BoundedCache<number>({ entriesMax: 2, now: () => 0 });
  cache.set('a', 1);
  cache.set('b', 2);
  cache.set('a', 3);
  cache.set('c', 4);
  t.same([cache.get('a'), cache.get('b'), cache.get('c'), cache.size], [3, undefined, 4, 2]);
  cache.delete('c');
  cache.set('d', 5);
  t.same([...cache.values()], [3, 5]);
  cache.clear();
  t.equal(cache.size, 0);
});

t.test('starts the lifetime of an entry when it is written', async (t) => {
  let time = 0;
  const cache = new BoundedCache<number>({ entriesMax: 9, lifeMs: 10, now: () => time });
  cache.set('a', 1);
  time = 9;
  t.ok(cache.has('a'));
  cache.set('b', 2);
  time = 10;
  t.notOk(cache.has('a'));
  t.same([...cache.values()], [2]);
});

t.test('evicts in constant time after many evictions', async (t) => {
  const cache = new BoundedCache<number>({ entriesMax: 1000, now: () => 0 });
  for (let i = 0; i < 100_000; i++) cache.set(`${i}`, i);
  t.same([cache.size, cache.get('99000'), cache.get('98999')], [1000, 99_000, undefined]);
});

t.test('evicts the oldest entries above a maximum of bytes', async (t) => {
  const cache = new BoundedCache<Uint8Array>({
    entriesMax: 10,
    now: () => 0,
    bytesMax: 100,
    sizeOf: ({ length }) => length,
  });
  cache.set('a', new Uint8Array(40));
  cache.set('b', new Uint8Array(40));
  cache.set('b', new Uint8Array(60));
  t.same([cache.has('a'), cache.has('b')], [true, true]);
  cache.set('c', new Uint8Array(1));
  t.same([cache.has('a'), cache.has('b'), cache.has('c')], [false, true, true]);
  cache.delete('b');
  cache.set('d', new Uint8Array(99));
  t.same([cache.has('c'), cache.has('d')], [true, true]);
});
