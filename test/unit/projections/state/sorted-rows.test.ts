import { serialize } from 'node:v8';
import t from 'tap';
import { SortedRows } from '../../../../src/projections/state/sorted-rows.js';
import { Random } from '../../../fuzz/random.js';

t.test('iterates in key order after any sequence of writes, deletes and reads', (t) => {
  const random = new Random(5, []);
  const rows = new SortedRows<number>();
  const expected = new Map<string, number>();
  const keys = Array.from(
    { length: 60 },
    (_, at) => String.fromCharCode(1 + (at % 4)) + random.bytes(2).toString('latin1'),
  );
  const [low, high] = [String.fromCharCode(1), String.fromCharCode(5)];
  const wrong: string[] = [];
  for (let step = 0; step < 3_000; step++) {
    const key = keys[random.below(keys.length)]!;
    const action = random.below(10);
    if (action < 5) {
      rows.set(key, step);
      expected.set(key, step);
    } else if (action < 8) {
      rows.delete(key);
      expected.delete(key);
    } else {
      const sorted = [...expected].sort(([a], [b]) => (a < b ? -1 : 1));
      const [from, to] = [keys[random.below(keys.length)]!, random.below(2) === 0 ? high : `${key}\0`];
      const within = sorted.filter(([text]) => text >= from && text < to);
      const bounds = { low: from, high: to, limit: Number.POSITIVE_INFINITY, prefix: undefined };
      const same = (found: Iterable<unknown>, wanted: readonly unknown[]): boolean =>
        JSON.stringify([...found]) === JSON.stringify(wanted);
      if (!same(rows.entries(), sorted)) wrong.push(`entries at step ${step}`);
      if (!same(rows.range({ ...bounds, reverse: false }), within)) wrong.push(`range at step ${step}`);
      if (!same(rows.range({ ...bounds, reverse: true }), [...within].reverse())) wrong.push(`reverse at step ${step}`);
      if (!same(rows.range({ ...bounds, low, high, reverse: false }), sorted)) wrong.push(`all rows at step ${step}`);
    }
    if (rows.size !== expected.size || rows.get(key) !== expected.get(key)) wrong.push(`row at step ${step}`);
  }
  t.same(wrong, []);
  rows.clear();
  t.same([...rows.entries()], []);
  t.end();
});

t.test('frees deleted keys even if no ordered read occurs', (t) => {
  const rows = new SortedRows<number>();
  const key = (at: number): string => `\u0001${String(at).padStart(8, '0')}`;
  const kept = 100;
  for (let at = 0; at < 50_000; at++) {
    rows.set(key(at), at);
    if (at >= kept) rows.delete(key(at - kept));
    // Writes and deletes the same key repeatedly.
    rows.set(key(1e6), at);
    rows.delete(key(1e6));
  }
  // 50,000 keys would have more than 1 MB.
  t.ok(serialize(rows).length < 100_000, 'the memory depends only on the number of rows');
  rows.set(key(1e6), 0);
  t.same(
    [...rows.entries()].map(([text]) => text),
    [...Array.from({ length: kept }, (_, at) => key(50_000 - kept + at)), key(1e6)],
  );
  t.end();
});
