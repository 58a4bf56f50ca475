import t from 'tap';
import { ByteBudget, ByteGroup, type DropReason } from '../../../src/primitives/byte-budget.js';

/** Returns a budget of 100 bytes with its own clock, and the list of shares that the budget has dropped. */
function budgetOf100() {
  const clock = { ms: 0 };
  const dropped: [string, DropReason][] = [];
  const budget = new ByteBudget({ bytesMax: 100, stallMs: 10, progressBytes: 8, now: () => clock.ms });
  const open = (name: string, group?: ByteGroup, stallsFrom = 0) =>
    budget.open({ drop: (reason) => dropped.push([name, reason]), group, stallsFrom });
  return { clock, dropped, budget, open };
}

t.test('drops the largest share of the group with the most bytes when the budget is full', async (t) => {
  const { budget, dropped, open } = budgetOf100();
  const group = new ByteGroup();
  open('honest').set(40);
  open('small', group).set(20);
  open('large', group).set(35);
  t.same(dropped, []);
  const last = open('last');
  last.set(10);
  t.same(dropped, [['large', 'full']]);
  t.equal(budget.bytes, 70);
  last.set(0);
  last.close();
  t.equal(budget.bytes, 60);
});

t.test('drops the share that exceeds the limit of its group', async (t) => {
  const { budget, dropped, open } = budgetOf100();
  const group = new ByteGroup(30);
  open('first', group).set(20);
  const second = open('second', group);
  second.set(11);
  t.same(dropped, [['second', 'full']]);
  second.set(50);
  t.same([budget.bytes, group.bytes], [20, 20], 'a dropped share is not counted');
});

t.test('drops a share without progress, but not a small, a complete or a progressing one', async (t) => {
  const { clock, budget, dropped, open } = budgetOf100();
  open('stalled').set(20, 20);
  open('small', undefined, 21).set(20, 20);
  const complete = open('complete');
  complete.set(5, 5);
  complete.stopClock();
  const [slow, dripping] = [open('slow'), open('dripping')];
  slow.set(8, 8);
  dripping.set(1, 1);
  clock.ms = 9;
  slow.set(8, 8);
  dripping.set(2, 1);
  clock.ms = 11;
  budget.dropStalled();
  t.same(dropped, [
    ['stalled', 'stalled'],
    ['dripping', 'stalled'],
  ]);
  complete.startClock();
  clock.ms = 22;
  budget.dropStalled();
  t.same(dropped.slice(2), [
    ['complete', 'stalled'],
    ['slow', 'stalled'],
  ]);
});
