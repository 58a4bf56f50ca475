import t from 'tap';
import { SolidifiedNotifier } from '../../../../src/node/serving/solidified-notifier.js';

// Recorded from java-tron 4.7.2 and 4.8.2 on 2026-11-26 (`npm run reliability -- filters-across-switches`).
t.test('emits each height once if there is no fork', async (t) => {
  const told = new SolidifiedNotifier(0);
  t.same(told.applied(0), [], 'nothing new');
  t.same(told.applied(1), [1]);
  t.same(told.applied(4), [2, 3, 4]);
  t.same(told.applied(4), []);
});

t.test('emits only the newest height at the first block after a start', async (t) => {
  t.same(new SolidifiedNotifier(5).applied(8), [8]);
});

t.test('emits heights solidified in a reorg with the next one, or never', async (t) => {
  const told = new SolidifiedNotifier(10);
  told.applied(10);
  told.changed(12);
  t.same(told.applied(13), [11, 12, 13]);
  told.changed(15);
  t.same(told.applied(15), [], '14 and 15 are lost');
  t.same(told.applied(16), [16]);
});

t.test('emits heights again after the solidified height drops', async (t) => {
  const told = new SolidifiedNotifier(10);
  t.same(told.applied(12), [12]);
  told.changed(10);
  t.same(told.applied(10), []);
  t.same(told.applied(12), [11, 12]);
});

t.test('emits heights from the new position after a rollback', async (t) => {
  const told = new SolidifiedNotifier(10);
  told.applied(12);
  told.changed(10);
  told.reverted(10);
  t.same(told.applied(11), [11]);
});
