import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { UseCount } from '../../middleware/limit-state.js';
import type { RequestQueue } from './request-queue.js';

interface ConnectionLimits {
  /** Counter of served connections, with their maximum. */
  readonly served: UseCount;
  /**
   * Maximum number of queued connections. If the queue is full, its oldest connection without request headers is
   * closed.
   */
  readonly queuedMax: number;
  /** Pending requests of each connection. */
  readonly queue: RequestQueue;
}

/**
 * Time in ms after which a served connection without a request may be closed for a queued client. A client normally
 * sends its first request within one round trip. If an idle connection is closed, an HTTP client opens a new one for
 * its next request.
 */
const SILENT_MS = 1_000;
/**
 * Interval in ms at which idle connections are closed while clients are queued. It is longer than `SHARED_MS_MAX`, so
 * that closed connections are replaced before the next check.
 */
const CHECK_MS = 100;
/**
 * Maximum time in ms between two calls of `followOthers`, if several threads share the port. The actual time is random,
 * so that the threads take turns.
 */
const SHARED_MS_MAX = 20;
/** End of the headers of a request. */
const HEAD_END = Buffer.from('\r\n\r\n');
/**
 * Number of received bytes from which a queued connection counts as one with request headers, even if the headers are
 * incomplete.
 */
const HEAD_BYTES_MAX = 8192;

/**
 * Serves a limited number of connections. Further connections are queued until a served connection ends. Reference:
 * Jetty's ConnectionLimit.
 *
 * Queued connections that have sent request headers have priority. While such a connection is queued, served
 * connections without a request are closed.
 */
export class ConnectionLimit {
  private readonly server: Server;
  private readonly limits: ConnectionLimits;
  /**
   * Connection listeners of the HTTP server of Node.js. When a queued connection is served, these listeners are called.
   * Then they read the requests of the connection.
   */
  private readonly listeners: readonly ((socket: Socket) => void)[];
  /** Served connections and the time in ms at which each started to be served, oldest first. */
  private readonly served = new Map<Socket, number>();
  /**
   * Queued connections without request headers, oldest first. The value is a function that removes the listeners of the
   * queue.
   */
  private readonly silent = new Map<Socket, () => void>();
  /**
   * Queued connections with request headers, oldest first. The value is a function that removes the listeners of the
   * queue.
   */
  private readonly live = new Map<Socket, () => void>();
  private timer: NodeJS.Timeout | undefined;
  private sharedTimer: NodeJS.Timeout | undefined;

  constructor(server: Server, limits: ConnectionLimits) {
    this.server = server;
    this.limits = limits;
    this.listeners = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => this.accept(socket));
    if (limits.served.threads > 1) server.once('listening', () => this.followOthers());
  }

  /**
   * Stops counting a connection that has changed to another protocol, such as WebSocket. Serves the next queued
   * connection.
   */
  release(socket: Socket): void {
    if (!this.served.delete(socket)) return;
    const { served } = this.limits;
    served.release();
    // If several threads share the port and any of them has a queued connection, `followOthers` selects the thread that
    // serves the next connection.
    if (served.threads === 1 || served.queued === 0) this.serveNext();
  }

  /** Closes all queued connections. */
  close(): void {
    clearTimeout(this.timer);
    clearTimeout(this.sharedTimer);
    for (const socket of [...this.silent.keys(), ...this.live.keys()]) socket.destroy();
  }

  private accept(socket: Socket): void {
    const { served, queuedMax } = this.limits;
    if (served.queued === 0 && served.take()) {
      this.serve(socket);
      return;
    }
    this.enqueue(socket);
    if (this.silent.size + this.live.size <= queuedMax) return;
    const [oldest = socket] = this.silent.keys();
    this.removeQueued(oldest);
    oldest.destroy();
  }

  private serve(socket: Socket): void {
    this.served.set(socket, performance.now());
    socket.once('close', () => this.release(socket));
    for (const listener of this.listeners) listener.call(this.server, socket);
    socket.resume();
  }

  /**
   * Serves the next queued connection.
   * @returns false if the queue is empty, or the maximum of connections is reached
   */
  private serveNext(): boolean {
    const [next] = this.live.size > 0 ? this.live : this.silent;
    if (next === undefined || !this.limits.served.take()) return false;
    const [socket, detach] = next;
    detach();
    this.serve(socket);
    return true;
  }

  /**
   * Reacts to changes in other threads. If other threads have ended connections, serves queued connections of this
   * thread. If other threads have queued connections, closes idle connections of this thread.
   */
  private followOthers(): void {
    while ((this.live.size > 0 || this.limits.served.queued === 0) && this.serveNext());
    this.closeSilent();
    this.sharedTimer = setTimeout(() => this.followOthers(), Math.random() * SHARED_MS_MAX).unref();
  }

  /**
   * Divides a number of connections among the threads, and returns the share of this thread. Rounds the share up or
   * down at random, so that on average the shares of all threads add up to the number.
   */
  private shareOf(count: number): number {
    return Math.floor(count / this.limits.served.threads + Math.random());
  }

  /**
   * Queues a connection. While the connection is queued, reads the request headers, because Node.js detects the end of
   * a connection only while it reads from the connection.
   */
  private enqueue(socket: Socket): void {
    let head: Buffer = Buffer.alloc(0);
    const onData = (chunk: Buffer): void => {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      if (!head.includes(HEAD_END) && head.length < HEAD_BYTES_MAX) return;
      stop();
      this.silent.delete(socket);
      this.live.set(socket, detach);
      this.announceQueue();
      this.closeSilent();
    };
    const onEnd = (): void => void socket.destroy();
    const onClose = (): void => this.removeQueued(socket);
    const stop = (): void => {
      socket.off('data', onData).off('end', onEnd).pause();
      if (head.length > 0) socket.unshift(head);
      head = Buffer.alloc(0);
    };
    const detach = (): void => {
      this.removeQueued(socket);
      socket.off('close', onClose);
      stop();
    };
    this.silent.set(socket, detach);
    socket.on('error', () => socket.destroy());
    socket.on('data', onData).once('end', onEnd).once('close', onClose);
  }

  private removeQueued(socket: Socket): void {
    this.silent.delete(socket);
    if (this.live.delete(socket)) this.announceQueue();
  }

  /**
   * Publishes the number of queued connections of this thread, so that other threads serve no new connection before
   * these queued connections.
   */
  private announceQueue(): void {
    this.limits.served.setQueued(this.live.size);
  }

  /**
   * Closes served connections without a request: one for each queued connection with a request, divided among the
   * threads. Schedules the next check.
   */
  private closeSilent(): void {
    const { queued } = this.limits.served;
    if (this.timer !== undefined || queued === 0) return;
    const latest = performance.now() - SILENT_MS;
    const closable = [...this.served].filter(([socket, started]) => {
      const since = this.limits.queue.idleSince(socket) ?? started;
      return since !== 'busy' && since <= latest;
    });
    for (const [socket] of closable.slice(0, this.shareOf(queued))) socket.destroySoon();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.closeSilent();
    }, CHECK_MS).unref();
  }
}
