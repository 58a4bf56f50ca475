/**
 * A point of the wall clock at which somebody's time is over. Whoever has a clock makes it; rules, which have none, ask
 * it.
 */
export class Deadline {
  /** ms since 1970. */
  readonly timeMs: number;
  private readonly now: () => number;

  constructor(timeMs: number, now: () => number = Date.now) {
    this.timeMs = timeMs;
    this.now = now;
  }

  /** Below 0 when it is over. */
  leftMs(): number {
    return this.timeMs - this.now();
  }
}
