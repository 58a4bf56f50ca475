import type { Address } from '../../primitives/address.js';

/**
 * Maximum number of cached witnesses. The sums of one witness take about 200 KB on the main net. There, voters of old
 * cycles voted for a few dozen witnesses.
 */
const WITNESSES_MAX = 128;

/**
 * Cumulative rewards per vote, by witness and cycle, for cycles before the new reward algorithm. Proposal 79 uses these
 * sums. java-tron stores them in a separate database.
 *
 * The sums depend only on rows that no longer change, so Tronicle computes the sums of a witness on first use.
 * Reference: RewardViCalService.
 */
export class OldRewardSums {
  private readonly sums = new Map<Address, readonly bigint[]>();
  /** First cycle that the cached sums do not contain. */
  private end = 0n;

  /** Clears the cache. Called after blocks were reverted, because another branch can have other rewards. */
  clear(): void {
    this.sums.clear();
  }

  /**
   * Returns the cumulative rewards per vote of a witness, in 10^-18 SUN, indexed by cycle from 0 to `end` − 1.
   * @param inCycle returns the reward per vote of one cycle
   */
  of(witness: Address, end: bigint, inCycle: (cycle: bigint) => bigint): readonly bigint[] {
    if (end !== this.end) this.clear();
    this.end = end;
    const cached = this.sums.get(witness);
    if (cached !== undefined) return cached;
    const sums = [0n];
    for (let cycle = 1n, sum = 0n; cycle < end; cycle++) {
      sum += inCycle(cycle);
      sums.push(sum);
    }
    const [oldest] = this.sums.keys();
    if (this.sums.size >= WITNESSES_MAX && oldest !== undefined) this.sums.delete(oldest);
    this.sums.set(witness, sums);
    return sums;
  }
}
