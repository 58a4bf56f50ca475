import t from 'tap';
import { SnapshotWindow } from '../../../src/chain/snapshot-window.js';

/** A block that is applied while N blocks are above the solidified one. */
function block(held: SnapshotWindow, open: number): void {
  held.open();
  held.limit(open + 1);
}

// Recorded beside java-tron 4.7.2: with head 30 and solidified block 27 its summaries start at 25.
t.test('writes solidified blocks when the next state begins', async (t) => {
  const held = new SnapshotWindow(0);
  for (let number = 1; number <= 30; number++) block(held, Math.min(number, 3));
  t.equal(held.size, 5);
});

t.test('keeps the written state after a rejected block', async (t) => {
  const held = new SnapshotWindow(0);
  for (let number = 1; number <= 30; number++) block(held, Math.min(number, 3));
  held.open();
  held.close();
  t.equal(held.size, 4);
});

t.test('counts all unwritten blocks as one state, each triggering a write of java-tron', async (t) => {
  const held = new SnapshotWindow(4);
  held.open();
  t.equal(held.size, 5);
  for (let waiting = 0; waiting < 3; waiting++) {
    held.open();
    held.close();
  }
  t.equal(held.size, 4);
});

t.test('reverts no more than it stores', async (t) => {
  const held = new SnapshotWindow(1);
  held.close();
  held.close();
  t.equal(held.size, 0);
});

t.test('assigns the unwritten state to no block', async (t) => {
  const held = new SnapshotWindow(0);
  block(held, 2);
  held.openWaiting();
  t.strictSame([held.size, held.blocks], [2, 1]);
  held.closeWaiting();
  t.strictSame([held.size, held.blocks], [1, 1]);
});

t.test('writes all solidified blocks of a chain that another node decides', async (t) => {
  const held = new SnapshotWindow(4);
  held.follow(2);
  t.strictSame([held.size, held.blocks], [2, 2]);
});
