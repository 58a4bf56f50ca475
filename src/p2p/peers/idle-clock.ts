/**
 * A clock for response times of peers. One thread receives messages and executes blocks, so messages wait during an
 * execution. This waiting time must not count as response time, so the clock stops while the thread works on peer
 * messages. java-tron uses different threads.
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
