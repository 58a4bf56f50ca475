/**
 * Decides which solidified blocks are reported to filters. After a start of the node, the first new block causes a
 * report of only the newest solidified block. If the solidified height decreases, the heights above the lower value are
 * reported again when the height rises again. Reference: Manager.postSolidityFilter, getContinuousBlockCapsule.
 *
 * During a reorg, no blocks are reported. Blocks that a reorg solidifies are reported with the first block after the
 * reorg, if that block solidifies more blocks. Otherwise, they are never reported.
 */
export class SolidifiedNotifier {
  /** Solidified height in the state after the newest applied or reverted block. */
  private solidified: number;
  /** Solidified height after the newest block that was applied outside of a reorg. */
  private reported: number | undefined;

  constructor(solidified: number) {
    this.solidified = solidified;
  }

  /**
   * Records a block that was applied outside of a reorg.
   * @param solidified solidified height after the block
   * @returns heights to report, ascending
   */
  applied(solidified: number): readonly number[] {
    const first = this.reported === undefined ? solidified : this.reported + 1;
    const hasRisen = this.solidified < solidified;
    this.solidified = solidified;
    this.reported = solidified;
    return hasRisen ? Array.from({ length: Math.max(0, solidified - first + 1) }, (_, at) => first + at) : [];
  }

  /**
   * Records a change of the head that {@link applied} does not cover: a block was reverted, or was applied in a
   * reorg.
   */
  changed(solidified: number): void {
    this.solidified = solidified;
  }

  /**
   * Records a revert below the solidified block on a private network. Heights above `height` will be reported again.
   */
  reverted(height: number): void {
    if (this.reported !== undefined) this.reported = Math.min(this.reported, height);
  }
}
