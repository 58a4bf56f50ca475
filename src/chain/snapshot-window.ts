/**
 * How many states below the newest java-tron would hold in memory: one for each block that it may take back, and one
 * for what waits. They are written to the disk only when the next one begins, so that it holds more than it needs for a
 * while, and tells that to peers: its summaries begin at the oldest. Reference: SnapshotManager.buildSession,
 * Manager.getSyncBeginNumber.
 */
export class SnapshotWindow {
  private held: number;
  private most: number;
  private waiting = 0;

  /** @param held after a start: blocks that may be taken back */
  constructor(held: number) {
    this.held = held;
    this.most = held;
  }

  get size(): number {
    return this.held;
  }

  /** Those of blocks. */
  get blocks(): number {
    return this.held - this.waiting;
  }

  /** Before a block, or a transaction. */
  open(): void {
    this.held = Math.min(this.held, this.most) + 1;
  }

  /** It was taken back, or became part of the one below it. */
  close(): void {
    this.held = Math.max(0, this.held - 1);
  }

  /** Before the first transaction that waits. */
  openWaiting(): void {
    this.open();
    this.waiting = 1;
  }

  closeWaiting(): void {
    this.close();
    this.waiting = 0;
  }

  /**
   * Behind a block of a chain that another node decides, as where transactions come all the time.
   * @param held blocks above the solidified one
   */
  follow(held: number): void {
    this.held = held;
    this.most = held;
  }

  /** Behind a block. @param most blocks above the solidified one, and one more */
  limit(most: number): void {
    this.most = most;
  }
}
