import t from 'tap';
import { fromHex, toHex } from '../../../src/log/domain/bytes.js';
import { Journal } from '../../../src/vm/state/journal.js';
import { byteRows } from '../../../src/vm/state/row-codecs.js';
import { Table } from '../../../src/vm/state/table.js';

/** A table over rows that are stored, and the number of rows read one by one. */
function tableOf(stored: Readonly<Record<string, string>>) {
  const reads = { count: 0 };
  const reader = {
    get: (_: number, key: Uint8Array) => {
      reads.count++;
      const value = stored[toHex(key)];
      return value === undefined ? undefined : fromHex(value);
    },
    range: () => Object.keys(stored).map((key) => ({ key: fromHex(key), value: fromHex(stored[key]!) })),
  };
  const journal = new Journal();
  return { table: new Table(1, byteRows, journal, reader), journal, reads };
}

t.test('takeAll gives stored and written rows in the order of their keys, and deletes them', async (t) => {
  const { table, journal, reads } = tableOf({ '0a': 'a0', '0b': 'b0', '0d': 'd0' });
  table.put('0c', fromHex('c1'));
  table.put('0b', fromHex('b1'));
  table.delete('0d');
  const mark = journal.mark();
  reads.count = 0;
  t.same(table.takeAll().map(toHex), ['a0', 'b1', 'c1']);
  t.equal(reads.count, 0, 'none is read a second time');
  t.same([...table.range()], []);
  journal.revertTo(mark);
  t.same(
    [...table.range()].map(([key, value]) => [key, toHex(value)]),
    [
      ['0a', 'a0'],
      ['0b', 'b1'],
      ['0c', 'c1'],
    ],
    'it can be taken back',
  );
  table.takeAll();
  const changes: { readonly key: Uint8Array; readonly after: Uint8Array | undefined }[] = [];
  table.commit(changes as never);
  t.same(
    changes.map(({ key, after }) => [toHex(key), after]).sort(),
    [
      ['0a', undefined],
      ['0b', undefined],
      ['0d', undefined],
    ],
    'a row that was never stored is no change',
  );
});
