/**
 * Counts the state snapshots that java-tron would have in memory: one per revertible block and one for pending
 * transactions. Reference: SnapshotManager.buildSession, Manager.getSyncBeginNumber.
 *
 * Peers can observe the number, because the sync summaries of java-tron start at the oldest snapshot. java-tron flushes
 * surplus snapshots only when it opens the next one, so the number is too high for some time.
 */
export class SnapshotWindow {
  private count: number;
  private most: number;
  private pending = 0;

  /** Creates the counter. @param count number of revertible blocks at start-up */
  constructor(count: number) {
    this.count = count;
    this.most = count;
  }

  get size(): number {
    return this.count;
  }

  /** Number of snapshots that belong to blocks, without the snapshot of pending transactions. */
  get blocks(): number {
    return this.count - this.pending;
  }

  /** Called before the execution of a block or transaction. java-tron opens one snapshot for each of them. */
  open(): void {
    this.count = Math.min(this.count, this.most) + 1;
  }

  /** Called when a snapshot was reverted or merged into the snapshot below it. */
  close(): void {
    this.count = Math.max(0, this.count - 1);
  }

  /** Opens the snapshot of the pending transactions. Called before the first of them is executed. */
  openPending(): void {
    this.open();
    this.pending = 1;
  }

  closePending(): void {
    this.close();
    this.pending = 0;
  }

  /**
   * Called after a block that another node executed. Counts as if transactions arrived constantly, so that java-tron
   * would have no surplus snapshots.
   * @param count number of blocks above the solidified one
   */
  follow(count: number): void {
    this.count = count;
    this.most = count;
  }

  /**
   * Called after a block. Sets the maximum number of snapshots. @param most number of blocks above the solidified one,
   * plus one
   */
  limit(most: number): void {
    this.most = most;
  }
}
