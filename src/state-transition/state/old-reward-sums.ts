import type { Address } from '../../primitives/address.js';

/**
 * Witnesses whose sums are kept: some 200 KB each on the main net, where voters of old cycles voted for a few dozens.
 */
const WITNESSES_MAX = 128;

/**
 * Rewards per vote of witnesses, added up cycle by cycle before the newer rule, where vote 79 lets them be asked for.
 * The reference keeps them in a database of its own; they follow from rows that do not change any more, so here they
 * are in memory, made when a witness is asked for. Reference: RewardViCalService.
 */
export class OldRewardSums {
  private readonly sums = new Map<Address, readonly bigint[]>();
  /** The cycle that the sums end before. */
  private end = 0n;

  /** After the chain took blocks back: another branch has other rows. */
  clear(): void {
    this.sums.clear();
  }

  /**
   * Sums of a witness by their last cycle, from 0 to the one before `end`.
   * @param inCycle the reward per vote of one cycle
   */
  of(witness: Address, end: bigint, inCycle: (cycle: bigint) => bigint): readonly bigint[] {
    if (end !== this.end) this.clear();
    this.end = end;
    const kept = this.sums.get(witness);
    if (kept !== undefined) return kept;
    const made = [0n];
    for (let cycle = 1n, sum = 0n; cycle < end; cycle++) {
      sum += inCycle(cycle);
      made.push(sum);
    }
    const [oldest] = this.sums.keys();
    if (this.sums.size >= WITNESSES_MAX && oldest !== undefined) this.sums.delete(oldest);
    this.sums.set(witness, made);
    return made;
  }
}
