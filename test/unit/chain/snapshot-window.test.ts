import t from 'tap';
import { SnapshotWindow } from '../../../src/chain/snapshot-window.js';

/** Applies a block. @param open number of blocks between the solidified block and this block */
function block(snapshots: SnapshotWindow, open: number): void {
  snapshots.open();
  snapshots.limit(open + 1);
}

// Recorded from java-tron 4.7.2: with head 30 and solidified block 27, its sync requests start at block 25.
t.test('flushes surplus snapshots only when the next snapshot opens', async (t) => {
  const snapshots = new SnapshotWindow(0);
  for (let number = 1; number <= 30; number++) block(snapshots, Math.min(number, 3));
  t.equal(snapshots.size, 5);
});

t.test('keeps the number of snapshots after the flush if the block is rejected', async (t) => {
  const snapshots = new SnapshotWindow(0);
  for (let number = 1; number <= 30; number++) block(snapshots, Math.min(number, 3));
  snapshots.open();
  snapshots.close();
  t.equal(snapshots.size, 4);
});

t.test('counts all pending transactions as one snapshot, although each one triggers a flush', async (t) => {
  const snapshots = new SnapshotWindow(4);
  snapshots.open();
  t.equal(snapshots.size, 5);
  for (let pending = 0; pending < 3; pending++) {
    snapshots.open();
    snapshots.close();
  }
  t.equal(snapshots.size, 4);
});

t.test('never counts fewer than zero snapshots', async (t) => {
  const snapshots = new SnapshotWindow(1);
  snapshots.close();
  snapshots.close();
  t.equal(snapshots.size, 0);
});

t.test('does not count the snapshot of pending transactions as a block', async (t) => {
  const snapshots = new SnapshotWindow(0);
  block(snapshots, 2);
  snapshots.openPending();
  t.strictSame([snapshots.size, snapshots.blocks], [2, 1]);
  snapshots.closePending();
  t.strictSame([snapshots.size, snapshots.blocks], [1, 1]);
});

t.test(
  'a node that does not execute blocks itself has one snapshot for each block that is not solidified',
  async (t) => {
    const snapshots = new SnapshotWindow(4);
    snapshots.follow(2);
    t.strictSame([snapshots.size, snapshots.blocks], [2, 2]);
  },
);
