/**
 * A clock for response times of peers, which stops while this thread works on peer messages. This thread both receives
 * and executes, so an executing block delays later messages. That delay must not count against the peer. The reference
 * receives and executes in different threads.
 */
export class IdleClock {
  private workedMs = 0;
  private readonly wall: () => number;

  constructor(wall: () => number) {
    this.wall = wall;
  }

  /** Current time in ms. Only differences are meaningful. */
  now(): number {
    return this.wall() - this.workedMs;
  }

  /** Runs work with the clock stopped. Must not be nested. */
  during<T>(work: () => T): T {
    const started = this.wall();
    try {
      return work();
    } finally {
      this.workedMs += this.wall() - started;
    }
  }
}
