import { itemAt } from '../../../src/primitives/assert.js';
import { createRandom } from '../random.js';

const LONG_MAX = 2n ** 63n - 1n;

/** All choices of one chain: the same seed makes the same ones. */
export class Dice {
  private readonly random: () => number;

  constructor(seed: number) {
    this.random = createRandom(seed);
  }

  /** A whole number from 0 up to, without, the limit. */
  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** @param share 0 to 1 */
  chance(share: number): boolean {
    return this.random() < share;
  }

  pick<T>(items: readonly T[]): T {
    return itemAt(items, this.below(items.length));
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }

  /** A whole number up to the limit, of any order of magnitude. */
  upTo(limit: bigint): bigint {
    if (limit <= 0n) return 0n;
    const digits = limit.toString().length;
    const length = this.between(1, digits);
    const value = BigInt(Array.from({ length }, () => this.below(10)).join(''));
    return value > limit ? limit : value;
  }

  /** An amount of which there is so much; now and then none, all, one too many, or one that no rule is made for. */
  amount(held: bigint): bigint {
    const kind = this.below(40);
    if (kind === 0) return this.pick([0n, -1n, LONG_MAX, -LONG_MAX - 1n, 1n]);
    if (kind === 1) return held;
    if (kind === 2) return held + 1n;
    return this.upTo(held < 2n ? 2n : held);
  }
}
