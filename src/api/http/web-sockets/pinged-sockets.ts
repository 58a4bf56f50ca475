import type { WebSocket } from 'ws';

/** Interval of pings, in ms. Proxies close idle connections after about one minute. */
const PING_MS = 20_000;

/**
 * Pings WebSockets at intervals. Pings keep connections open through proxies. Disconnects a client that has not
 * answered a ping when the next ping is due.
 */
export class PingedSockets {
  /** Open WebSockets. The value is true if the client has answered the last ping. */
  private readonly sockets = new Map<WebSocket, boolean>();
  private readonly timer = setInterval(() => this.pingAll(), PING_MS);

  add(socket: WebSocket): void {
    this.sockets.set(socket, true);
    socket.on('pong', () => this.sockets.set(socket, true));
    socket.on('close', () => this.sockets.delete(socket));
  }

  /** Stops the pings. */
  close(): void {
    clearInterval(this.timer);
  }

  private pingAll(): void {
    for (const [socket, isAlive] of this.sockets) {
      // A connection that is not read may have unread pongs, so it is not closed.
      if (!isAlive && !socket.isPaused) socket.terminate();
      else {
        this.sockets.set(socket, false);
        socket.ping();
      }
    }
  }
}
