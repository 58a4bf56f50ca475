import t from 'tap';
import { Journal } from '../../../../src/state-transition/state/journal.js';
import type { TableEntry } from '../../../../src/state-transition/state/table.js';
import { addAccount, addressOf, stateWith } from '../../../support/vm/state-with.js';

const entry = (value: unknown) =>
  ({ key: 'a', value, epoch: -1, committed: undefined }) as unknown as TableEntry<unknown>;

t.test('restores values to a mark, newest first', async (t) => {
  const journal = new Journal();
  const row = entry(1);
  const undone: string[] = [];
  const outer = journal.mark();
  journal.record(row);
  row.value = 2;
  const inner = journal.mark();
  journal.recordWith(row, () => undone.push('inner'));
  row.value = 3;
  t.same([...journal.valuesAt(outer).values()], [1]);
  t.same([...journal.valuesAt(inner).values()], [2]);
  t.equal(journal.writtenSince(outer).size, 1, 'a row counts once');
  journal.revertTo(inner);
  t.same([row.value, undone], [2, ['inner']]);
  journal.revertTo(outer);
  t.equal(row.value, 1);
  t.equal(journal.writtenSince(outer).size, 0);
});

t.test('starts an epoch at each mark and copies rows again before they are written', async (t) => {
  const state = stateWith();
  addAccount(state, 1, 5n);
  const outer = state.mark();
  const first = state.accountToWrite(addressOf(1));
  t.equal(state.accountToWrite(addressOf(1)), first, 'one copy per mark');
  if (first !== undefined) first.balance = 6n;
  const inner = state.mark();
  const second = state.accountToWrite(addressOf(1));
  t.not(second, first);
  if (second !== undefined) second.balance = 7n;
  state.revertTo(inner);
  t.equal(state.account(addressOf(1))?.balance, 6n);
  state.revertTo(outer);
  t.equal(state.account(addressOf(1))?.balance, 5n);
});
