import t from 'tap';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { byteRows } from '../../../../src/projections/state/row-codecs.js';
import { Journal } from '../../../../src/state-transition/state/journal.js';
import { Table } from '../../../../src/state-transition/state/table.js';

t.test('returns the values of rows at a mark, regardless of later writes and rollbacks', (t) => {
  const stored: Readonly<Record<string, string>> = { '0a': 'a0', '0b': 'b0' };
  const reader = {
    get: (_: number, key: Uint8Array) => {
      const value = stored[toHex(key)];
      return value === undefined ? undefined : fromHex(value);
    },
    range: () => [],
  };
  const journal = new Journal();
  const table = new Table(1, byteRows, journal, reader);
  table.put('0a', fromHex('a1'));
  const mark = journal.mark();
  table.put('0a', fromHex('a2'));
  const inner = journal.mark();
  table.put('0a', fromHex('a3'));
  table.delete('0b');
  journal.revertTo(inner);
  table.put('0b', fromHex('b2'));
  table.put('0b', fromHex('b3'));
  table.put('0c', fromHex('c1'));
  const values = journal.valuesAt(mark);
  const shown = Object.fromEntries(
    [...values].map(([{ key }, value]) => [key, value === undefined ? undefined : toHex(value as Uint8Array)]),
  );
  t.same(shown, { '0a': 'a1', '0b': 'b0', '0c': undefined });
  t.equal(journal.valuesAt(journal.mark()).size, 0);
  t.end();
});
