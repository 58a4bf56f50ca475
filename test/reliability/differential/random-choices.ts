import { itemAt } from '../../../src/primitives/assert.js';
import { createRandom } from '../random.js';

const LONG_MAX = 2n ** 63n - 1n;

/** All random choices of one chain. Equal seeds result in equal choices. */
export class RandomChoices {
  private readonly random: () => number;

  constructor(seed: number) {
    this.random = createRandom(seed);
  }

  /** Returns an integer from 0 to `limit` − 1. */
  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /**
   * Returns true with the given probability.
   * @param share from 0 to 1
   */
  chance(share: number): boolean {
    return this.random() < share;
  }

  pick<T>(items: readonly T[]): T {
    return itemAt(items, this.below(items.length));
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }

  /**
   * Returns an integer from 0 to `limit`. The number of digits is chosen first, and each number of digits is equally
   * probable.
   */
  upTo(limit: bigint): bigint {
    if (limit <= 0n) return 0n;
    const digits = limit.toString().length;
    const length = this.between(1, digits);
    const value = BigInt(Array.from({ length }, () => this.below(10)).join(''));
    return value > limit ? limit : value;
  }

  /**
   * Returns an amount up to a balance. Sometimes it is an extreme value, the whole balance, or 1 more than the
   * balance.
   */
  amount(balance: bigint): bigint {
    const kind = this.below(40);
    if (kind === 0) return this.pick([0n, -1n, LONG_MAX, -LONG_MAX - 1n, 1n]);
    if (kind === 1) return balance;
    if (kind === 2) return balance + 1n;
    return this.upTo(balance < 2n ? 2n : balance);
  }
}
