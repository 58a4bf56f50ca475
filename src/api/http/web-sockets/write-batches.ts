import type { Writable } from 'node:stream';

/**
 * Collects all data that is written to a socket in one turn of the event loop, so that the turn needs one system call
 * per socket. Otherwise, each event of a block would need its own system call.
 */
export class WriteBatches {
  private readonly corked = new Set<Writable>();

  /** Must be called before a write to a socket. The data is sent at the end of the turn. */
  beforeWrite(socket: Writable): void {
    if (this.corked.has(socket)) return;
    if (this.corked.size === 0) setImmediate(() => this.flush());
    socket.cork();
    this.corked.add(socket);
  }

  private flush(): void {
    for (const socket of this.corked) socket.uncork();
    this.corked.clear();
  }
}
