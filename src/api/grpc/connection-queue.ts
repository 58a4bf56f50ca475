import type { Socket } from 'node:net';

/**
 * Maximum number of connections that start in one turn of the event loop. The number is small, because the first calls
 * of all these connections may arrive in the next turn and delay other work.
 */
const STARTED_MAX = 4;

/**
 * Starts new connections a few at a time, so that many new connections do not delay the existing ones. The sockets must
 * be paused, so that the data of queued connections remains in the operating system. The maximum number of connections
 * of the server limits the queue.
 */
export class ConnectionQueue {
  private readonly start: (socket: Socket) => void;
  private readonly queued = new Set<Socket>();
  private isScheduled = false;

  constructor(start: (socket: Socket) => void) {
    this.start = start;
  }

  add(socket: Socket): void {
    this.queued.add(socket);
    this.schedule();
  }

  /** Closes the queued connections. */
  close(): void {
    for (const socket of this.queued) socket.destroy();
    this.queued.clear();
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      let started = 0;
      for (const socket of this.queued) {
        if (started === STARTED_MAX) break;
        this.queued.delete(socket);
        if (socket.destroyed) continue;
        started++;
        this.start(socket);
      }
      if (this.queued.size > 0) this.schedule();
    });
  }
}
