import t from 'tap';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { byteRows } from '../../../../src/projections/state/row-codecs.js';
import type { RowChange } from '../../../../src/projections/state/state-reader.js';
import { Journal } from '../../../../src/state-transition/state/journal.js';
import { Table } from '../../../../src/state-transition/state/table.js';

/** Returns a table over stored rows, and the numbers of single reads and of range reads of these rows. */
function tableOf(stored: Readonly<Record<string, string>>) {
  const [reads, ranges] = [{ count: 0 }, { count: 0 }];
  const reader = {
    get: (_: number, key: Uint8Array) => {
      reads.count++;
      const value = stored[toHex(key)];
      return value === undefined ? undefined : fromHex(value);
    },
    range: () => {
      ranges.count++;
      return Object.keys(stored).map((key) => ({ key: fromHex(key), value: fromHex(stored[key]!) }));
    },
  };
  const journal = new Journal();
  return { table: new Table(1, byteRows, journal, reader), journal, reads, ranges };
}

const removed = (table: Table<Uint8Array>): string[] => {
  const all: string[] = [];
  table.removeAll((value) => all.push(toHex(value)));
  return all.sort();
};
const rows = (table: Table<Uint8Array>): string[] => [...table.range()].map(([key, value]) => `${key} ${toHex(value)}`);
const changesOf = (table: Table<Uint8Array>): string[] => {
  const changes: RowChange[] = [];
  table.commit(changes);
  const hex = (value: Uint8Array | undefined): string => (value === undefined ? '-' : toHex(value));
  return changes.map(({ key, before, after }) => `${toHex(key)} ${hex(before)} ${hex(after)}`).sort();
};

t.test('removeAll deletes stored and written rows, and passes each to its caller once', async (t) => {
  const { table, journal, reads } = tableOf({ '0a': 'a0', '0b': 'b0', '0d': 'd0' });
  table.put('0c', fromHex('c1'));
  table.put('0b', fromHex('b1'));
  table.delete('0d');
  const mark = journal.mark();
  reads.count = 0;
  t.same(removed(table), ['a0', 'b1', 'c1']);
  t.equal(reads.count, 0, 'no row is read a second time');
  t.same(rows(table), []);
  t.same(removed(table), [], 'rows are removed once');
  t.same([...table.writtenKeys()].sort(), ['0a', '0b', '0c', '0d']);
  journal.revertTo(mark);
  t.same(rows(table), ['0a a0', '0b b1', '0c c1'], 'the removal can be reverted');
  removed(table);
  t.same(changesOf(table), ['0a a0 -', '0b b0 -', '0d d0 -'], 'a row that was never stored is not a change');
});

t.test('a rollback reverts removeAll together with the reads and writes after it', async (t) => {
  const { table, journal } = tableOf({ '0a': 'a0', '0b': 'b0', '0c': 'c0' });
  const before = journal.mark();
  removed(table);
  t.equal(table.get('0a'), undefined);
  const between = journal.mark();
  table.put('0b', fromHex('b2'));
  table.put('0e', fromHex('e2'));
  t.same(rows(table), ['0b b2', '0e e2']);
  t.same(removed(table), ['b2', 'e2']);
  journal.revertTo(between);
  t.same(rows(table), []);
  t.same([table.get('0b'), table.has('0c')], [undefined, false]);
  journal.revertTo(before);
  t.same(rows(table), ['0a a0', '0b b0', '0c c0']);
  t.same(changesOf(table), []);

  removed(table);
  table.put('0b', fromHex('b2'));
  table.put('0a', fromHex('a0'));
  t.same(changesOf(table), ['0b b0 b2', '0c c0 -'], 'a row with its stored value is not a change');
});

t.test('lists rows that removeAll deleted among those written since a mark', async (t) => {
  const { table, journal } = tableOf({ '0a': 'a0', '0b': 'b0' });
  const mark = journal.mark();
  removed(table);
  table.put('0b', fromHex('b1'));
  const written = [...journal.writtenSince(mark)].flatMap((entry) => [...entry.table.stored(entry)]);
  t.same(written.map(({ key, value }) => `${toHex(key)} ${value === undefined ? '-' : toHex(value)}`).sort(), [
    '0a -',
    '0b b1',
  ]);
});

t.test('reads a range from the keys of an earlier read until a row is added or deleted', async (t) => {
  const stored: Record<string, string> = { '0a': 'a0', '0b': 'b0' };
  const { table, journal, ranges } = tableOf(stored);
  t.same(rows(table), ['0a a0', '0b b0']);
  table.put('0a', fromHex('a1'));
  t.same(rows(table), ['0a a1', '0b b0']);
  stored['0a'] = 'a1';
  changesOf(table);
  t.same(rows(table), ['0a a1', '0b b0']);
  t.equal(ranges.count, 1, 'a changed value keeps the keys');
  const mark = journal.mark();
  table.delete('0a');
  table.put('0c', fromHex('c0'));
  t.same(rows(table), ['0b b0', '0c c0']);
  journal.revertTo(mark);
  t.same(rows(table), ['0a a1', '0b b0']);
  table.delete('0b');
  table.put('0b', fromHex('b1'));
  table.put('0c', fromHex('c1'));
  Object.assign(stored, { '0b': 'b1', '0c': 'c1' });
  changesOf(table);
  t.same(rows(table), ['0a a1', '0b b1', '0c c1']);
});
