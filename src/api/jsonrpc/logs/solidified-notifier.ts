/**
 * Decides which solidified blocks are reported to filters. No blocks are reported during a reorg. Blocks that become
 * solidified in a reorg are reported with the next block if that block solidifies more blocks, and otherwise never. If
 * the solidified number has decreased, its heights are reported again. The first block after a start reports only the
 * newest solidified block.
 * Reference: Manager.postSolidityFilter, getContinuousBlockCapsule.
 */
export class SolidifiedNotifier {
  /** Solidified number of the state after the newest change of the head. */
  private solidified: number;
  /** Solidified number after the newest block that was applied outside of a reorg. */
  private reported: number | undefined;

  constructor(solidified: number) {
    this.solidified = solidified;
  }

  /**
   * Records a block that was applied outside of a reorg.
   * @param solidified solidified number of the state after the block
   * @returns heights to report, ascending
   */
  applied(solidified: number): readonly number[] {
    const first = this.reported === undefined ? solidified : this.reported + 1;
    const hasRisen = this.solidified < solidified;
    this.solidified = solidified;
    this.reported = solidified;
    return hasRisen ? Array.from({ length: Math.max(0, solidified - first + 1) }, (_, at) => first + at) : [];
  }

  /** Records another change of the head: a block was reverted, or applied in a reorg. */
  changed(solidified: number): void {
    this.solidified = solidified;
  }

  /** Records a revert below the solidified block on a private network: heights above `height` are reported again. */
  reverted(height: number): void {
    if (this.reported !== undefined) this.reported = Math.min(this.reported, height);
  }
}
