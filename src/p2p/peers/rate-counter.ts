import { itemAt } from '../../primitives/assert.js';

/** Length of the time window, in seconds. Reference: MessageCount.SIZE. */
const SECONDS = 60;

/** Counter with one bucket per second for the last minute. Reference: MessageCount. */
export class RateCounter {
  private readonly counts = new Array<number>(SECONDS).fill(0);
  private second: number;
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
    this.second = Math.floor(now() / 1000);
  }

  add(count: number): void {
    this.turn();
    const at = this.second % SECONDS;
    this.counts[at] = itemAt(this.counts, at) + count;
  }

  /** Returns the sum of the last `seconds` seconds, including the current second. */
  sum(seconds: number): number {
    this.turn();
    let total = 0;
    for (let back = 0; back < seconds; back++) total += itemAt(this.counts, (this.second - back) % SECONDS);
    return total;
  }

  private turn(): void {
    const second = Math.floor(this.now() / 1000);
    const steps = Math.min(second - this.second, SECONDS);
    for (let step = 1; step <= steps; step++) this.counts[(this.second + step) % SECONDS] = 0;
    if (second > this.second) this.second = second;
  }
}
