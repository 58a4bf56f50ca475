import t from 'tap';
import type { AppliedEntry } from '../../../../src/log/log-entry.js';
import { EntryCache } from '../../../../src/log/rows/entry-cache.js';

const MIB = 2 ** 20;

const entry = (seq: number): AppliedEntry => ({ kind: 'applied', seq }) as AppliedEntry;

t.test('returns an added entry until it is deleted', (t) => {
  const cache = new EntryCache();
  const added = entry(1);
  cache.add(added);
  t.equal(cache.get(1), added);
  t.equal(cache.get(2), undefined);
  cache.delete(1);
  t.equal(cache.get(1), undefined);
  t.end();
});

t.test('removes the least recently used entries when more than 8 MiB are decompressed', (t) => {
  const cache = new EntryCache();
  const entries = [1, 2, 3].map(entry);
  for (const added of entries) {
    cache.add(added);
    cache.grow(added, 2 * MIB);
  }
  cache.get(1);
  cache.grow(entries[2]!, 3 * MIB);
  t.same(
    [1, 2, 3].map((seq) => cache.get(seq)?.seq),
    [1, undefined, 3],
    'entry 2 is the least recently used',
  );
  t.end();
});

t.test('keeps at most a few thousand entries of which nothing is decompressed', (t) => {
  const cache = new EntryCache();
  for (let seq = 0; seq < 10_000; seq++) cache.add(entry(seq));
  const kept = Array.from({ length: 10_000 }, (_, seq) => cache.get(seq)).filter((found) => found !== undefined);
  t.ok(kept.length > 1_000 && kept.length < 5_000, `${kept.length} entries`);
  t.ok(cache.get(9_999), 'the newest');
  t.end();
});

t.test('does not count data of a removed entry', (t) => {
  const cache = new EntryCache();
  const [removed, other] = [entry(1), entry(2)];
  cache.add(removed);
  cache.delete(1);
  cache.add(other);
  cache.grow(removed, 100 * MIB);
  t.ok(cache.get(2));
  t.end();
});

t.test('an entry that is larger than the cache is not kept', (t) => {
  const cache = new EntryCache();
  const large = entry(1);
  cache.add(large);
  cache.grow(large, 9 * MIB);
  t.equal(cache.get(1), undefined);
  cache.add(entry(2));
  t.ok(cache.get(2), 'the cache is usable again');
  t.end();
});
