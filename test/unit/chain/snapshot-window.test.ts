import t from 'tap';
import { SnapshotWindow } from '../../../src/chain/snapshot-window.js';

/** Applies a block while N blocks are above the solidified block. */
function block(snapshots: SnapshotWindow, open: number): void {
  snapshots.open();
  snapshots.limit(open + 1);
}

// Recorded from java-tron 4.7.2: with head 30 and solidified block 27 its summaries start at 25.
t.test('writes solidified blocks when the next state begins', async (t) => {
  const snapshots = new SnapshotWindow(0);
  for (let number = 1; number <= 30; number++) block(snapshots, Math.min(number, 3));
  t.equal(snapshots.size, 5);
});

t.test('keeps the written state after a rejected block', async (t) => {
  const snapshots = new SnapshotWindow(0);
  for (let number = 1; number <= 30; number++) block(snapshots, Math.min(number, 3));
  snapshots.open();
  snapshots.close();
  t.equal(snapshots.size, 4);
});

t.test('counts all unwritten blocks as one state, each triggering a write of java-tron', async (t) => {
  const snapshots = new SnapshotWindow(4);
  snapshots.open();
  t.equal(snapshots.size, 5);
  for (let waiting = 0; waiting < 3; waiting++) {
    snapshots.open();
    snapshots.close();
  }
  t.equal(snapshots.size, 4);
});

t.test('reverts no more than it stores', async (t) => {
  const snapshots = new SnapshotWindow(1);
  snapshots.close();
  snapshots.close();
  t.equal(snapshots.size, 0);
});

t.test('assigns the unwritten state to no block', async (t) => {
  const snapshots = new SnapshotWindow(0);
  block(snapshots, 2);
  snapshots.openWaiting();
  t.strictSame([snapshots.size, snapshots.blocks], [2, 1]);
  snapshots.closeWaiting();
  t.strictSame([snapshots.size, snapshots.blocks], [1, 1]);
});

t.test('has one snapshot for each block that is not solidified, if another node executes the blocks', async (t) => {
  const snapshots = new SnapshotWindow(4);
  snapshots.follow(2);
  t.strictSame([snapshots.size, snapshots.blocks], [2, 2]);
});
