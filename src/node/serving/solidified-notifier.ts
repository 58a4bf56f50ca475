/**
 * Which irreversible blocks filters hear of. A switch tells of none: what became irreversible in it is told with the
 * next block that brings more, and is lost where the next block brings nothing. Where the number fell, heights are told
 * again. The first block behind a start tells of the newest one alone. Reference: Manager.postSolidityFilter,
 * getContinuousBlockCapsule
 */
export class SolidifiedNotifier {
  /** Number of the rules behind the newest change of the head. */
  private solidified: number;
  /** The same as it was behind the newest block that came outside of a switch. */
  private told: number | undefined;

  constructor(solidified: number) {
    this.solidified = solidified;
  }

  /**
   * A block joined outside of a switch.
   * @param solidified number of the rules behind it
   * @returns heights to tell of, ascending
   */
  joined(solidified: number): readonly number[] {
    const first = this.told === undefined ? solidified : this.told + 1;
    const hasRisen = this.solidified < solidified;
    this.solidified = solidified;
    this.told = solidified;
    return hasRisen ? Array.from({ length: Math.max(0, solidified - first + 1) }, (_, at) => first + at) : [];
  }

  /** Another change of the head: a block was taken back, or joined in a switch. */
  changed(solidified: number): void {
    this.solidified = solidified;
  }

  /** Of a private network that may go back below what was irreversible: heights from there on are told again. */
  wentBack(height: number): void {
    if (this.told !== undefined) this.told = Math.min(this.told, height);
  }
}
