/**
 * Counts the state snapshots that java-tron would hold in memory: one per revertible block and one for pending
 * transactions. java-tron flushes surplus snapshots only when the next one opens, so for some time it holds too many.
 * Peers can see this number, because its sync summaries start at the oldest snapshot.
 * Reference: SnapshotManager.buildSession, Manager.getSyncBeginNumber.
 */
export class SnapshotWindow {
  private held: number;
  private most: number;
  private waiting = 0;

  /** @param held revertible blocks after start-up */
  constructor(held: number) {
    this.held = held;
    this.most = held;
  }

  get size(): number {
    return this.held;
  }

  /** Number of snapshots of blocks. */
  get blocks(): number {
    return this.held - this.waiting;
  }

  /** Called before a block or a transaction is executed. */
  open(): void {
    this.held = Math.min(this.held, this.most) + 1;
  }

  /** Called when a snapshot was reverted or merged into the one below it. */
  close(): void {
    this.held = Math.max(0, this.held - 1);
  }

  /** Called before the first pending transaction is executed. */
  openWaiting(): void {
    this.open();
    this.waiting = 1;
  }

  closeWaiting(): void {
    this.close();
    this.waiting = 0;
  }

  /**
   * Called after a block that another node executed. Counts as java-tron does if transactions arrive constantly.
   * @param held number of blocks above the solidified one
   */
  follow(held: number): void {
    this.held = held;
    this.most = held;
  }

  /** Called after a block. Sets the maximum. @param most number of blocks above the solidified one, plus one */
  limit(most: number): void {
    this.most = most;
  }
}
