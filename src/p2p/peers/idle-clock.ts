/**
 * A clock that stops while this thread works on peer messages. It measures response times of peers. The reference
 * receives and executes in different threads. Here a block in execution delays the next one in the socket, which must
 * not count against the peer.
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
