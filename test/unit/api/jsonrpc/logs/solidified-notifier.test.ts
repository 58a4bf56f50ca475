import t from 'tap';
import { SolidifiedNotifier } from '../../../../../src/api/jsonrpc/logs/solidified-notifier.js';

// The heights were recorded from java-tron 4.7.2 and 4.8.2 on 2026-11-26 (`npm run reliability --
// filters-across-switches`).
t.test('emits each height once if there is no fork', async (t) => {
  const notifier = new SolidifiedNotifier(0);
  t.same(notifier.applied(0), [], 'no new height');
  t.same(notifier.applied(1), [1]);
  t.same(notifier.applied(4), [2, 3, 4]);
  t.same(notifier.applied(4), []);
});

t.test('emits only the newest height at the first block after a start', async (t) => {
  t.same(new SolidifiedNotifier(5).applied(8), [8]);
});

t.test('emits heights that a reorg solidifies together with the next solidified height, or never', async (t) => {
  const notifier = new SolidifiedNotifier(10);
  notifier.applied(10);
  notifier.changed(12);
  t.same(notifier.applied(13), [11, 12, 13]);
  notifier.changed(15);
  t.same(notifier.applied(15), [], 'heights 14 and 15 are never emitted');
  t.same(notifier.applied(16), [16]);
});

t.test('emits heights again after the solidified height drops', async (t) => {
  const notifier = new SolidifiedNotifier(10);
  t.same(notifier.applied(12), [12]);
  notifier.changed(10);
  t.same(notifier.applied(10), []);
  t.same(notifier.applied(12), [11, 12]);
});

t.test('emits heights from the new position after a rollback', async (t) => {
  const notifier = new SolidifiedNotifier(10);
  notifier.applied(12);
  notifier.changed(10);
  notifier.reverted(10);
  t.same(notifier.applied(11), [11]);
});
