/**
 * A wall-clock time limit. It is created by code that owns a clock, and queried by rules, which have no clock.
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
