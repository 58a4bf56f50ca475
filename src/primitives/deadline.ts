/**
 * A wall-clock time limit. Code with a clock creates the deadline. Code without a clock (the chain rules) only queries
 * it.
 */
export class Deadline {
  /** Time of the deadline, ms since 1970. */
  readonly timeMs: number;
  private readonly now: () => number;

  constructor(timeMs: number, now: () => number = Date.now) {
    this.timeMs = timeMs;
    this.now = now;
  }

  /** Returns the remaining time in ms; negative after the deadline. */
  leftMs(): number {
    return this.timeMs - this.now();
  }
}
