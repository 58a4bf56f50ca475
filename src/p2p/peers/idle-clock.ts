/**
 * A clock that stands still while this thread works on what peers sent: how long a peer took is measured with it. The
 * reference receives and executes in different threads; here a block that is executed keeps the next one waiting in the
 * socket, and that is not the peer's fault.
 */
export class IdleClock {
  private workedMs = 0;
  private readonly wall: () => number;

  constructor(wall: () => number) {
    this.wall = wall;
  }

  /** ms; only differences mean something. */
  now(): number {
    return this.wall() - this.workedMs;
  }

  /** Does work during which no peer is waited for. Not within itself. */
  during<T>(work: () => T): T {
    const started = this.wall();
    try {
      return work();
    } finally {
      this.workedMs += this.wall() - started;
    }
  }
}
